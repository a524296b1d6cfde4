//! Alignments of the test without a network: the diagonal, and IBM model 1.

use super::looks::{Class, Look, looks_of};
use crate::model_1::{Model1, log_likelihood};
use seq2seq::alignment::AlignmentErrors;
use seq2seq::translating::corpus::{Corpus, Part};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix};
use std::collections::BTreeMap;
use workbench::study::rounded;

/// What somebody who knows no network makes of the alignments.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Baseline {
    pub aer: BTreeMap<String, f64>,
    pub looks: BTreeMap<Class, Look>,
    /// `ln p(y | x)` a target word of the training pairs, up to a constant, before every step and
    /// after the last.
    pub log_likelihood: Vec<f64>,
}

pub const STEPS: usize = 10;

/// How much a position far from the diagonal costs, chosen beforehand: half a sentence costs e².
pub const LAMBDA: Float = 4.0;

/// All by name: `diagonal`, `model_1`, and `model_1_diagonal`, which is model 1 with a prior on the diagonal.
pub fn baselines(corpus: &Corpus, steps: usize) -> BTreeMap<String, Baseline> {
    let chosen =
        [("diagonal", LAMBDA, 0), ("model_1", 0.0, steps), ("model_1_diagonal", LAMBDA, steps)];
    let baseline = |(name, lambda, steps): (&str, Float, usize)| {
        (name.to_owned(), baseline(corpus, lambda, steps))
    };
    chosen.map(baseline).into()
}

fn baseline(corpus: &Corpus, lambda: Float, steps: usize) -> Baseline {
    let pairs: Vec<_> = (0..corpus.training.len()).map(|i| aligned(&corpus.training, i)).collect();
    let words: usize = pairs.iter().map(|(_, y)| y.len()).sum();
    let mut model = Model1::uniform(corpus.source.len(), corpus.target.len(), lambda);
    let likelihood = |model: &Model1| rounded(log_likelihood(model, &pairs) / words as f64);
    let mut found = vec![likelihood(&model)];
    for _ in 0..steps {
        model.step(&pairs);
        found.push(likelihood(&model));
    }
    let weights = |x: &[usize], y: &[usize]| on_words(&model, x, &y[..y.len() - 1]);
    let aer = |part: &Part| (part.name.clone(), rounded(error_rate(part, weights)));
    Baseline {
        aer: corpus.tests.iter().map(aer).collect(),
        looks: looks_of(&corpus.tests[0], |x, y| Some(weights(x, y))),
        log_likelihood: found,
    }
}

/// A pair as model 1 reads it: the source's end word is its empty word, the target has none.
fn aligned(part: &Part, i: usize) -> (&[usize], &[usize]) {
    let (x, y) = part.numbers(i);
    (x, &y[..y.len() - 1])
}

/// The weights without the empty word's, as those of the network are judged.
fn on_words(model: &Model1, x: &[usize], y: &[usize]) -> Matrix {
    model.alignment(x, y).remove_row(x.len() - 1)
}

fn error_rate(part: &Part, weights: impl Fn(&[usize], &[usize]) -> Matrix) -> f64 {
    let mut sum = AlignmentErrors::default();
    for (number, pair) in part.pairs.iter().enumerate() {
        let Some(gold) = &pair.alignment else { continue };
        let (x, y) = part.numbers(number);
        sum.add(&AlignmentErrors::of(&weights(x, y), &gold.sure, &gold.possible));
    }
    sum.rate()
}
