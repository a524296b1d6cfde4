//! Everything the page quotes.

use super::reordering::Displaced;
use super::timing::Measured;
use super::trained::{Run, Trained, system};
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, rounded};

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

impl Row {
    pub(super) fn new(embedding: usize, trained: &[Trained]) -> Row {
        let seeds: Vec<Run> = trained.iter().map(|trained| trained.run).collect();
        let fold = |f: fn(f64, f64) -> f64| {
            seeds.iter().copied().reduce(|a, b| a.zip(b, f)).unwrap_or_default()
        };
        let count = seeds.len() as f64;
        let mean = fold(|a, b| a + b).map(|sum| rounded(sum / count));
        let spread = fold(f64::max).zip(fold(f64::min), |max, min| rounded((max - min) / 2.0));
        Row {
            embedding,
            parameters: trained[0].parameters,
            seeds,
            mean,
            spread,
            interval: interval(trained, 0),
            long_interval: interval(trained, 1),
            near_interval: interval(trained, 2),
            displaced_interval: interval(trained, 3),
        }
    }
}

/// The mean BLEU on a part with its interval.
pub(super) fn interval(trained: &[Trained], part: usize) -> Interval {
    Bootstrap::default().score(&system(trained, part), &mut rng(part as u64)).rounded()
}

/// By how much the mean BLEU of these exceeds that of those on a part: the same drawn sentences, whatever
/// is compared.
pub(super) fn difference(these: &[Trained], those: &[Trained], part: usize) -> Interval {
    let (these, those) = (system(these, part), system(those, part));
    Bootstrap::default().difference(&these, &those, &mut rng(part as u64)).rounded()
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
