//! Do the weights explain what is said? They are compared with what happens when they are changed.

use super::looks::{Class, class_of};
use super::variants::{Variant, together};
use crate::Bahdanau;
use corpora::BEGIN;
use rand::seq::SliceRandom;
use seq2seq::Translator;
use seq2seq::translating::corpus::Part;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;

/// What the weights of some words are worth as an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explained<N = f64> {
    pub words: usize,
    /// How often the annotation with the largest weight is the one whose absence changes the
    /// probabilities of the next word most.
    pub largest: N,
    /// Kendall's τ of weights and such changes: 1 for the same order, 0 for no relation.
    pub tau: N,
    /// How far the probabilities move when the weights are permuted: half the sum of the differences'
    /// sizes, 1 at most.
    pub permuted: N,
    /// How often another word is then the most probable.
    pub permuted_changed: N,
    /// How far they move when every word has the same weight.
    pub uniform: N,
    /// How often another word is then the most probable.
    pub uniform_changed: N,
}

/// By kind of word, while the references of the first `sentences` pairs are dictated. In every step
/// one thing is changed, and only in that step.
pub fn explained(model: &Bahdanau, part: &Part, sentences: usize) -> BTreeMap<Class, Explained> {
    let mut rng = rng(0);
    let mut found: BTreeMap<Class, Explained> = BTreeMap::new();
    for (number, pair) in part.pairs.iter().enumerate().take(sentences) {
        let (x, y) = part.numbers(number);
        let mut state = model.encode(&[x]);
        for (i, word) in pair.target.iter().enumerate() {
            let last = if i == 0 { BEGIN } else { y[i - 1] };
            let now = Variant::of(&state, 0);
            let alpha = model.next(&mut state, &[last]).alignments.remove(0);
            let mut order: Vec<usize> = (0..x.len()).collect();
            order.shuffle(&mut rng);
            let mut variants = vec![now.clone(), now.permuted(&order), now.uniform()];
            variants.extend((0..x.len()).map(|j| now.without(j)));
            let next = model.next(&mut together(&variants), &vec![last; variants.len()]);
            let p: Vec<Vec<Float>> = next
                .log_probabilities
                .column_iter()
                .map(|column| column.iter().map(|log_p| log_p.exp()).collect())
                .collect();
            let changes: Vec<Float> =
                p[3..].iter().map(|without| distance(&p[0], without)).collect();
            let changed = |v: usize| f64::from(u8::from(largest(&p[v]) != largest(&p[0])));
            let sum = found.entry(class_of(word)).or_default();
            sum.words += 1;
            sum.largest += f64::from(u8::from(largest(&alpha) == largest(&changes)));
            sum.tau += kendall(&alpha, &changes);
            sum.permuted += f64::from(distance(&p[0], &p[1]));
            sum.permuted_changed += changed(1);
            sum.uniform += f64::from(distance(&p[0], &p[2]));
            sum.uniform_changed += changed(2);
        }
    }
    found.into_iter().map(|(class, sum)| (class, sum.mean())).collect()
}

impl Explained<f64> {
    fn mean(self) -> Explained<f64> {
        let mean = |sum: f64| sum / self.words.max(1) as f64;
        Explained {
            words: self.words,
            largest: mean(self.largest),
            tau: mean(self.tau),
            permuted: mean(self.permuted),
            permuted_changed: mean(self.permuted_changed),
            uniform: mean(self.uniform),
            uniform_changed: mean(self.uniform_changed),
        }
    }
}

/// The total variation distance of two distributions.
fn distance(p: &[Float], q: &[Float]) -> Float {
    p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<Float>() / 2.0
}

fn largest(x: &[Float]) -> Option<usize> {
    (0..x.len()).max_by(|a, b| x[*a].total_cmp(&x[*b]))
}

/// The share of pairs that two lists order alike, minus the share that they order differently.
fn kendall(a: &[Float], b: &[Float]) -> f64 {
    let pairs = (0..a.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let agreement = |(i, j): (usize, usize)| {
        let (a, b) = (a[i].total_cmp(&a[j]) as i8, b[i].total_cmp(&b[j]) as i8);
        f64::from(a * b)
    };
    let count = a.len() * a.len().saturating_sub(1) / 2;
    pairs.map(agreement).sum::<f64>() / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kendall_s_tau_of_equal_opposite_and_mixed_orders() {
        assert_eq!(kendall(&[0.1, 0.2, 0.7], &[1.0, 2.0, 3.0]), 1.0);
        assert_eq!(kendall(&[0.1, 0.2, 0.7], &[3.0, 2.0, 1.0]), -1.0);
        assert!((kendall(&[0.1, 0.2, 0.7], &[2.0, 1.0, 3.0]) - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn distributions_without_a_common_word_are_one_apart() {
        assert_eq!(distance(&[1.0, 0.0], &[0.0, 1.0]), 1.0);
        assert_eq!(distance(&[0.5, 0.5], &[0.75, 0.25]), 0.25);
    }
}
