//! The square: attention or one fixed context, a source read in both directions or forwards only; and, beside
//! it, attention with another cell.

use super::arguments::Compare;
use super::rows::Corner::{self, Attention, AttentionForward, FixedForward};
use super::rows::{Row, Trained, train};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::{ModelScores, Repetitions, differences};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::study::{Claim, Findings, Interval, claims_of_rows, of_rows, smaller};

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

/// The edges of the square, and the other cell: a name, a corner, and the one that its BLEU is held against.
pub const EDGES: [(&str, Corner, Corner); 5] = [
    ("attention_both", Attention, Corner::Fixed),
    ("attention_forward", AttentionForward, FixedForward),
    ("both_with", Attention, AttentionForward),
    ("both_without", Corner::Fixed, FixedForward),
    ("lstm", Corner::Lstm, Attention),
];

pub(super) fn square(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let repeated = &arguments.common.repeated;
    let sizes = arguments.common.sizes(corpus);
    if sizes.layers != 1 {
        return Err(Error::argument("--layers: the translator of LSTM cells has one"));
    }
    // The first corner, which `inside` trains too, comes last: by then it may have been kept.
    let rows: Vec<_> = Corner::ALL.iter().rev().map(|it| it.row(&sizes, repeated)).collect();
    let rows = repeated.study.choose(rows)?;
    let mut study = arguments.study(corpus)?;
    let found = train(&mut study, &rows, &arguments.common, corpus)?;
    let corner =
        |row: &Row| (row.name.clone(), ModelScores::new(row.config.1.hidden, &found[&row.name]));
    let scores = |corner: Corner| Some(Trained::scores(found.get(corner.name())?));
    let edge = |(name, a, b): (&str, Corner, Corner)| {
        Some((name.to_owned(), differences(&scores(a)?, &scores(b)?)))
    };
    let mut results = Square {
        plan: Repetitions::new(repeated, corpus),
        corners: rows.iter().map(corner).collect(),
        differences: EDGES.into_iter().filter_map(edge).collect(),
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

/// Judges what was written down before the square ran, and of the LSTM before it was trained, by the numbers
/// beside it.
pub fn claims(square: &Square) -> BTreeMap<String, Claim> {
    let bleu = |part: &'static str| {
        move |corner: &&ModelScores| -> Vec<f64> { corner.parts[part].bleu.of_seeds.clone() }
    };
    let of = |corners: &[Corner], part, holds: &dyn Fn(&[Vec<f64>]) -> Option<bool>| {
        let names: Vec<&str> = corners.iter().map(|corner| corner.name()).collect();
        of_rows(&square.corners, &names, |rows| {
            holds(&rows.iter().map(bleu(part)).collect::<Vec<_>>())
        })
    };
    let gained = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a - b >= 20.0);
    let higher = |rows: &[Vec<f64>]| smaller(&rows[1], &rows[0]);
    let near =
        |rows: &[Vec<f64>]| Some(rows[0].iter().zip(&rows[1]).all(|(a, b)| (a - b).abs() < 2.0));
    claims_of_rows([
        (
            "attention",
            "attention raises BLEU on the long part by at least 20, whichever way the source is read, with every seed",
            of(&[Attention, Corner::Fixed, AttentionForward, FixedForward], "long", &|rows| {
                Some(gained(&rows[0], &rows[1]) && gained(&rows[2], &rows[3]))
            }),
        ),
        (
            "reading_with",
            "with attention, reading in both directions gives a higher BLEU on the test part than reading forwards",
            of(&[Attention, AttentionForward], "test", &higher),
        ),
        (
            "reading_without",
            "without attention too, reading in both directions gives a higher BLEU on the test part than reading forwards",
            of(&[Corner::Fixed, FixedForward], "test", &higher),
        ),
        (
            "lstm_test",
            "on the test part LSTM cells in place of gated units change BLEU by less than 2, with every seed",
            of(&[Corner::Lstm, Attention], "test", &near),
        ),
        ("lstm_long", "so they do on the long part", of(&[Corner::Lstm, Attention], "long", &near)),
    ])
}
