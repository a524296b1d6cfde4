//! The square: attention or one fixed context, a source read in both directions or forwards only.

use super::compare::{Compare, minutes_since};
use super::fixed::Fixed;
use super::recipe::{Chapter, build};
use super::trials::nearest;
use crate::Reading::{BothDirections, Forward};
use crate::fixed_context::FixedContext;
use seq2seq::bleu::{Counts, sentence_counts};
use seq2seq::decoding::beam_all;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{BEAM, Scores, judge, translations};
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::train_counted;
use seq2seq::translating::{PartScores, Recipe, Repetitions};
use seq2seq::{EncoderDecoder, Sizes, Translator};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, say};
use workbench::study::{Bootstrap, Interval, Progress, Spread, side_by_side};
use workbench::{Claim, smaller};

/// A corner of the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// This chapter's model: attention, both directions.
    Attention,
    /// Attention over annotations that were read forwards only.
    AttentionForward,
    /// One context of a source that was read in both directions.
    Fixed,
    /// The model of chapter 5: one context, read forwards.
    FixedForward,
}

use Corner::{Attention, AttentionForward, FixedForward};

impl Corner {
    /// All four.
    pub const ALL: [Corner; 4] = [Attention, AttentionForward, Corner::Fixed, FixedForward];

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn name(self) -> &'static str {
        match self {
            Attention => "with",
            AttentionForward => "with_forward",
            Corner::Fixed => "without_both",
            FixedForward => "without",
        }
    }

    fn parameters(self, sizes: &Sizes) -> usize {
        let mut rng = rng(0);
        match self {
            Attention => build(sizes, &BothDirections.into(), &mut rng).parameter_count(),
            AttentionForward => build(sizes, &Forward.into(), &mut rng).parameter_count(),
            Corner::Fixed => FixedContext::new(sizes, &mut rng).parameter_count(),
            FixedForward => EncoderDecoder::new(sizes, &mut rng).parameter_count(),
        }
    }

    /// The sizes with which it has about as many parameters as this chapter's model with `sizes`.
    pub fn sizes(self, sizes: &Sizes) -> Sizes {
        let with = |hidden: usize| Sizes { hidden, ..sizes.clone() };
        with(nearest(Attention.parameters(sizes), |hidden| self.parameters(&with(hidden))))
    }
}

/// `square/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Square {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// The corners by name.
    pub corners: BTreeMap<String, CornerScores>,
    /// By the name of one of [`EDGES`] and by part: BLEU of one corner minus that of another.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What was written down before it ran, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Minutes that it took, those of kept trainings left out.
    pub minutes: f64,
}

/// A corner's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CornerScores {
    /// Entries of a state.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
}

/// The edges of the square: a name, a corner, and the one that its BLEU is held against.
pub const EDGES: [(&str, Corner, Corner); 4] = [
    ("attention_both", Attention, Corner::Fixed),
    ("attention_forward", AttentionForward, FixedForward),
    ("both_with", Attention, AttentionForward),
    ("both_without", Corner::Fixed, FixedForward),
];

/// One training, judged.
struct Judged {
    corner: Corner,
    hidden: usize,
    parameters: usize,
    scores: Vec<Scores>,
    /// Of every part: what BLEU counts of each translation that beam search finds.
    counts: Vec<Vec<Counts>>,
}

/// Trains and judges every corner with every seed.
pub(super) fn run(
    arguments: &Compare,
    corpus: &Corpus,
    output: &Output,
    begin: Instant,
) -> Result<()> {
    let common = &arguments.common;
    let (sizes, seeds) = (common.sizes(corpus), common.repeated.seeds());
    let of_corner = |corner: Corner| seeds.iter().map(move |seed| (corner, *seed));
    // The first corner, which `inside` trains too, comes last: by then it may have been kept.
    let jobs: Vec<(Corner, u64)> = Corner::ALL.into_iter().rev().flat_map(of_corner).collect();
    let epochs = jobs.len() * common.repeated.epochs as usize;
    let judged = side_by_side("the square", &jobs, epochs, |(corner, seed), progress| {
        let (none, sizes) = (seq2seq::experiment::Choices {}, corner.sizes(&sizes));
        let job = Job { corner: *corner, seed: *seed, hidden: sizes.hidden, arguments, corpus };
        match corner {
            Attention => {
                job.judged::<Chapter>(&Config::new(&sizes, BothDirections.into()), progress)
            }
            AttentionForward => {
                job.judged::<Chapter>(&Config::new(&sizes, Forward.into()), progress)
            }
            Corner::Fixed => job.judged::<Fixed>(&Config::new(&sizes, none), progress),
            FixedForward => {
                type Five = seq2seq::experiment::Chapter;
                job.judged::<Five>(&Config::new(&sizes, none), progress)
            }
        }
    })?;
    let mut results = Square::new(Repetitions::new(&common.repeated, corpus), corpus, &judged);
    results.claims = claims(&results);
    results.minutes = minutes_since(begin);
    results.claims.values().for_each(say);
    output.results(&results)
}

/// A corner to be trained with a seed.
struct Job<'a> {
    corner: Corner,
    seed: u64,
    hidden: usize,
    arguments: &'a Compare,
    corpus: &'a Corpus,
}

impl Job<'_> {
    fn judged<R: Recipe>(&self, config: &R::Config, progress: &Progress) -> Result<Judged> {
        let Job { corner, seed, hidden, arguments, corpus } = *self;
        let (batch, options) =
            (arguments.common.batch as usize, arguments.options(corner.name(), seed));
        let mut model = train_counted::<R>(progress, corpus, config, batch, &options)?.model;
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        let (test, long) = (scores[0].bleu, scores[1].bleu);
        progress.say(format!("{}, seed {seed}: BLEU {test:.1}, long {long:.1}", corner.name()));
        let counts = corpus.tests.iter().map(|part| counts(&model, corpus, part)).collect();
        Ok(Judged { corner, hidden, parameters, scores, counts })
    }
}

fn counts(model: &impl Translator, corpus: &Corpus, part: &Part) -> Vec<Counts> {
    let found =
        translations(corpus, &part.sentences.source, |some| beam_all(model, some, BEAM, 1.0));
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    sentence_counts(&found, &references)
}

impl Square {
    fn new(plan: Repetitions, corpus: &Corpus, judged: &[Judged]) -> Square {
        let of = |corner: Corner| -> Vec<&Judged> {
            judged.iter().filter(|run| run.corner == corner).collect()
        };
        let system = |corner: Corner, part: usize| -> Vec<Vec<Counts>> {
            of(corner).iter().map(|run| run.counts[part].clone()).collect()
        };
        let edge = |(name, a, b): (&str, Corner, Corner)| {
            let part = |i: usize| {
                // the same drawn sentences for every edge
                let (a, b, rng) = (system(a, i), system(b, i), &mut rng(i as u64));
                let found = Bootstrap::default().difference(&a, &b, rng);
                (corpus.tests[i].name.clone(), found.rounded())
            };
            (name.to_owned(), (0..corpus.tests.len()).map(part).collect())
        };
        let scores = |corner: Corner| {
            let runs = of(corner);
            let scores = CornerScores {
                hidden: runs[0].hidden,
                parameters: runs[0].parameters,
                parts: PartScores::by_part(runs.iter().map(|run| &run.scores[..])),
            };
            (corner.name().to_owned(), scores)
        };
        Square {
            plan,
            corners: Corner::ALL.map(scores).into(),
            differences: EDGES.map(edge).into(),
            claims: BTreeMap::new(),
            minutes: 0.0,
        }
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
    let judged: [(&str, &str, Option<bool>); 3] = [
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
    ];
    workbench::claims(judged)
}
