//! The square: attention or one fixed context, a source read in both directions or forwards only.

use super::arguments::Compare;
use super::rows::Corner::{self, Attention, AttentionForward, FixedForward};
use super::rows::{Row, Trained, train};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::{ModelScores, Repetitions, differences};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::smaller;
use workbench::study::{Claim, Findings, Interval, Spread};

/// `square/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Square {
    #[serde(flatten)]
    pub plan: Repetitions,
    pub corners: BTreeMap<String, ModelScores>,
    /// By the name of one of [`EDGES`] and by part: BLEU of one corner minus that of another.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

/// The edges of the square: a name, a corner, and the one that its BLEU is held against.
pub const EDGES: [(&str, Corner, Corner); 4] = [
    ("attention_both", Attention, Corner::Fixed),
    ("attention_forward", AttentionForward, FixedForward),
    ("both_with", Attention, AttentionForward),
    ("both_without", Corner::Fixed, FixedForward),
];

pub(super) fn square(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let repeated = &arguments.common.repeated;
    if !repeated.study.only.is_empty() {
        return Err(Error::argument("--only: a square has four corners"));
    }
    let sizes = arguments.common.sizes(corpus);
    // The first corner, which `inside` trains too, comes last: by then it may have been kept.
    let rows: Vec<_> = Corner::ALL.iter().rev().map(|it| it.row(&sizes, repeated)).collect();
    let mut study = arguments.study(corpus)?;
    let found = train(&mut study, &rows, &arguments.common, corpus)?;
    let corner =
        |row: &Row| (row.name.clone(), ModelScores::new(row.config.1.hidden, &found[&row.name]));
    let scores = |corner: Corner| Trained::scores(&found[corner.name()]);
    let edge = |(name, a, b): (&str, Corner, Corner)| {
        (name.to_owned(), differences(&scores(a), &scores(b)))
    };
    let mut results = Square {
        plan: Repetitions::new(repeated, corpus),
        corners: rows.iter().map(corner).collect(),
        differences: EDGES.map(edge).into(),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}

impl Findings for Square {
    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}

/// Judges what was written down before the square ran, by the numbers beside it.
pub fn claims(square: &Square) -> BTreeMap<String, Claim> {
    let bleu =
        |corner: Corner, part: &str| -> &Spread { &square.corners[corner.name()].parts[part].bleu };
    let gained = |a: Corner, b: Corner| {
        let (a, b) = (&bleu(a, "long").of_seeds, &bleu(b, "long").of_seeds);
        a.iter().zip(b).all(|(a, b)| a - b >= 20.0)
    };
    let higher =
        |a: Corner, b: Corner| smaller(&bleu(b, "test").of_seeds, &bleu(a, "test").of_seeds);
    workbench::claims([
        (
            "attention",
            "attention raises BLEU on the long part by at least 20, whichever way the source is read, with every seed",
            Some(gained(Attention, Corner::Fixed) && gained(AttentionForward, FixedForward)),
        ),
        (
            "reading_with",
            "with attention, reading in both directions gives a higher BLEU on the test part than reading forwards",
            higher(Attention, AttentionForward),
        ),
        (
            "reading_without",
            "without attention too, reading in both directions gives a higher BLEU on the test part than reading forwards",
            higher(Corner::Fixed, FixedForward),
        ),
    ])
}
