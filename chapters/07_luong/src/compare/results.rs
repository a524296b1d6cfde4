//! Everything the page quotes.

use super::reordering::{Displaced, Half};
use super::timing::Measured;
use super::worth::Worth;
use seq2seq::bleu::Counts;
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was done.
    pub plan: Comparison,
    /// Mechanism → `plain` or `fed` → row; chapter 6's model is `bahdanau`.
    pub rows: BTreeMap<String, BTreeMap<String, Row>>,
    /// Shares of words whose strongest weight is right, by distance from the diagonal: `fed` rows.
    pub by_displacement: BTreeMap<String, Vec<f64>>,
    /// The test's pairs: how many are displaced and not, and how many words.
    pub displaced: Displaced,
    /// What was expected, and what became of it.
    pub claims: BTreeMap<String, Inequality>,
    /// Of every claim on BLEU: by how much the BLEU that should be higher exceeds the other.
    pub differences: BTreeMap<String, Interval>,
    /// Of all pairs of rows that the paper's Table 4 orders by `perplexity` and by `bleu`.
    pub table_4: BTreeMap<String, Tally>,
    /// A short training for tests to repeat.
    pub quick: BTreeMap<String, f64>,
    /// Differs from run to run.
    pub measured: Measured,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Pairs to learn from.
    pub pairs: usize,
    /// Passes over them.
    pub epochs: usize,
    /// Trainings of each kind.
    pub seeds: usize,
    /// Entries of a state.
    pub hidden: usize,
    /// Entries of a word's vector in chapter 6's model.
    pub embedding: usize,
    /// Parameters of chapter 6's model, which the others come as close to as they can.
    pub parameters: usize,
}

/// One kind of model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Parameters.
    pub parameters: usize,
    /// Of each seed.
    pub seeds: Vec<Run>,
    /// Mean over the seeds.
    pub mean: Run,
    /// Half the distance between the largest and the smallest.
    pub spread: Run,
    /// The mean BLEU on the test with the interval of the bootstrap …
    pub interval: Interval,
    /// … that on the long part …
    pub long_interval: Interval,
    /// … on the pairs in which no word lies outside its window …
    pub near_interval: Interval,
    /// … and on those in which a word does.
    pub displaced_interval: Interval,
}

/// What one trained model is worth; rates and shares as numbers from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Cross-entropy of the test, nats a word.
    pub loss: f64,
    /// Its exponential: perplexity.
    pub perplexity: f64,
    /// BLEU of greedy translations of the test.
    pub bleu: f64,
    /// chrF of the same translations.
    pub chrf: f64,
    /// Alignment error rate on the test.
    pub aer: f64,
    /// BLEU on longer sentences than any in training.
    pub long: f64,
    /// Pairs of the test in which no word lies outside its window.
    pub near: Half,
    /// Pairs of the test in which a word does.
    pub displaced: Half,
}

impl Run {
    pub(super) fn zip(self, other: Run, f: impl Fn(f64, f64) -> f64) -> Run {
        let half = |a: Half, b: Half| Half { bleu: f(a.bleu, b.bleu), aer: f(a.aer, b.aer) };
        Run {
            loss: f(self.loss, other.loss),
            perplexity: f(self.perplexity, other.perplexity),
            bleu: f(self.bleu, other.bleu),
            chrf: f(self.chrf, other.chrf),
            aer: f(self.aer, other.aer),
            long: f(self.long, other.long),
            near: half(self.near, other.near),
            displaced: half(self.displaced, other.displaced),
        }
    }

    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Run {
        self.zip(self, |x, _| f(x))
    }
}

impl Row {
    pub(super) fn new(embedding: usize, parameters: usize, worths: &[&Worth]) -> Row {
        let seeds: Vec<Run> = worths.iter().map(|worth| worth.run).collect();
        let fold = |f: fn(f64, f64) -> f64| {
            seeds.iter().copied().reduce(|a, b| a.zip(b, f)).unwrap_or_default()
        };
        let count = seeds.len() as f64;
        let mean = fold(|a, b| a + b).map(|sum| round(sum / count));
        let spread = fold(f64::max).zip(fold(f64::min), |max, min| round((max - min) / 2.0));
        let interval = |part: usize| {
            Bootstrap::default().score(&system(worths, part), &mut rng(part as u64)).rounded()
        };
        Row {
            embedding,
            parameters,
            seeds,
            mean,
            spread,
            interval: interval(0),
            long_interval: interval(1),
            near_interval: interval(2),
            displaced_interval: interval(3),
        }
    }
}

/// What BLEU counts of every sentence of a part, seed by seed.
pub(super) fn system(worths: &[&Worth], part: usize) -> Vec<Vec<Counts>> {
    worths.iter().map(|worth| worth.counts[part].clone()).collect()
}

/// Four digits behind the point are more than three seeds can tell.
pub(super) fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// An inequality between means over the seeds, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inequality {
    /// What should be smaller.
    pub less: f64,
    /// What should be larger.
    pub more: f64,
    /// `held` when it holds between all seeds, `failed` when its opposite does, else `not decided`.
    pub holds: String,
}

/// What became of several inequalities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Those that held between all seeds.
    pub held: usize,
    /// Those whose opposite did.
    pub failed: usize,
    /// The others.
    pub not_decided: usize,
}
