//! The exercises of chapter 5, solved.

use shared::{Float, Matrix};
use std::collections::HashMap;

/// 5.1: the reference, one word late, and the reference.
pub fn teacher_forcing(target: &[usize], begin: usize, end: usize) -> (Vec<usize>, Vec<usize>) {
    ([&[begin], target].concat(), [target, &[end]].concat())
}

/// 5.2: every run of the reference can be matched once.
pub fn clipped_matches(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    let mut left: HashMap<&[&str], usize> = HashMap::new();
    for run in reference.windows(n) {
        *left.entry(run).or_default() += 1;
    }
    let mut matches = 0;
    for run in candidate.windows(n) {
        if let Some(count) = left.get_mut(run).filter(|count| **count > 0) {
            *count -= 1;
            matches += 1;
        }
    }
    (matches, candidate.windows(n).len())
}

/// 5.3: a mean of logarithms is a product's root.
pub fn bleu(matches: [usize; 4], runs: [usize; 4], c: usize, r: usize) -> f64 {
    if matches.contains(&0) {
        return 0.0;
    }
    let shares = matches.into_iter().zip(runs).map(|(matches, runs)| matches as f64 / runs as f64);
    let logarithms: f64 = shares.map(f64::ln).sum();
    let penalty = (1.0 - r as f64 / c as f64).min(0.0);
    (penalty + logarithms / 4.0).exp()
}

/// 5.4: ∂/∂zᵥ (ln Σ exp z − z_y) = softmax(z)ᵥ − [v = y].
pub fn cross_entropy_gradient(logits: &Matrix, targets: &[usize]) -> Matrix {
    let mut gradient = logits.clone();
    for (mut column, &target) in gradient.column_iter_mut().zip(targets) {
        let max = column.max();
        column.apply(|z| *z = (*z - max).exp());
        let sum = column.sum();
        column /= sum;
        column[target] -= 1.0;
    }
    gradient
}

/// 5.5: p(beginning, word) = p(beginning) · p(word | beginning), in logarithms.
pub fn beam_step(sums: &[f64], logits: &Matrix, width: usize) -> Vec<(usize, usize, f64)> {
    let mut all = Vec::new();
    for (b, column) in logits.column_iter().enumerate() {
        let max = f64::from(column.max());
        let exponentials: f64 = column.iter().map(|z| (f64::from(*z) - max).exp()).sum();
        let log_sum = max + exponentials.ln();
        let words = column.iter().enumerate();
        all.extend(words.map(|(v, z)| (b, v, sums[b] + f64::from(*z) - log_sum)));
    }
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all.truncate(width);
    all
}

/// 5.6: words 1 and 2 come first and lead nowhere in particular; 3, which the beam drops, leads
/// straight to the end.
pub fn trap() -> Matrix {
    let flat: Float = 0.25;
    #[rustfmt::skip]
    let p = [
        0.0, flat, flat, 1.0,
        0.4, flat, flat, 0.0,
        0.4, flat, flat, 0.0,
        0.2, flat, flat, 0.0,
    ];
    Matrix::from_row_slice(4, 4, &p)
}

/// 5.7: the mean of means weighs a short batch's words more. Sums are divided last.
pub fn perplexity(batches: &[(f64, usize)]) -> f64 {
    let loss: f64 = batches.iter().map(|(loss, _)| loss).sum();
    let words: usize = batches.iter().map(|(_, words)| words).sum();
    (loss / words as f64).exp()
}

/// 5.8: the permutation, not its inverse: positions among the *sources*, read in the order of the
/// *targets*.
pub fn source_of(pairs: &[(usize, usize)]) -> Vec<usize> {
    let order = |length: fn(&(usize, usize)) -> usize| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(length(&pairs[i])));
        order
    };
    let (by_source, by_target) = (order(|pair| pair.0), order(|pair| pair.1));
    let mut place = vec![0; pairs.len()];
    for (j, &i) in by_source.iter().enumerate() {
        place[i] = j;
    }
    by_target.iter().map(|&i| place[i]).collect()
}

/// 5.9: greedy search goes on with 1, then 2, and ends: 0.5 · 0.6 · 0.52 = 0.156. A beam of two has kept 2,
/// too, which ends with 0.32 · 0.52 = 0.166: more, and less for each of its words. A beam of three has kept
/// the empty sentence, 0.18.
pub fn predicted() -> [Vec<usize>; 4] {
    [vec![1, 2], vec![2], vec![1, 2], vec![]]
}

/// 5.10: the ranges of A and B do not overlap, those of A and C do; the intervals of the differences
/// decide the others, if they lie on one side of 0, or of 1.
pub fn verdicts() -> [Option<bool>; 6] {
    [Some(true), None, Some(true), None, Some(false), None]
}
