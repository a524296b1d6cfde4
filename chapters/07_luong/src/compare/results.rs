//! Everything the page quotes.

use super::reordering::Displaced;
use super::timing::Measured;
use super::trained::{Run, Trained, interval};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{Interval, rounded};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub plan: Comparison,
    /// Mechanism → `plain` or `fed` → row; chapter 6's model is `bahdanau`.
    pub rows: BTreeMap<String, BTreeMap<String, Row>>,
    /// Shares of words whose strongest weight is right, by distance from the diagonal: `fed` rows.
    pub by_displacement: BTreeMap<String, Vec<f64>>,
    /// The test's pairs: how many are displaced and not, and how many words.
    pub displaced: Displaced,
    pub claims: BTreeMap<String, Inequality>,
    /// Of every claim on BLEU: by how much the BLEU that should be higher exceeds the other.
    pub differences: BTreeMap<String, Interval>,
    /// Of all pairs of rows that the paper's Table 4 orders by `perplexity` and by `bleu`.
    pub table_4: BTreeMap<String, Tally>,
    pub quick: BTreeMap<String, f64>,
    pub measured: Measured,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub pairs: usize,
    pub epochs: usize,
    pub seeds: usize,
    pub hidden: usize,
    /// Entries of a word's vector in chapter 6's model.
    pub embedding: usize,
    /// Parameters of chapter 6's model, which the others come as close to as they can.
    pub parameters: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Entries of a word's vector.
    pub embedding: usize,
    pub parameters: usize,
    pub seeds: Vec<Run>,
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

/// An inequality between means over the seeds, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inequality {
    pub less: f64,
    pub more: f64,
    /// `held` when it holds between all seeds, `failed` when its opposite does, else `not decided`.
    pub holds: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub held: usize,
    pub failed: usize,
    pub not_decided: usize,
}
