//! What several exercises need.

use std::fmt::Debug;

/// Compares answers to numbered questions; each wrong one is shown with its hint.
pub fn check_answers<A: PartialEq + Debug, const N: usize>(
    found: [A; N],
    right: [A; N],
    hints: [&str; N],
) {
    let mut wrong = String::new();
    for (i, ((found, right), hint)) in found.iter().zip(&right).zip(hints).enumerate() {
        if found != right {
            wrong += &format!("{i}: you say {found:?}\nhint: {hint}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The right answers with one of them exchanged.
pub fn with<A, const N: usize>(mut answers: [A; N], place: usize, answer: A) -> [A; N] {
    answers[place] = answer;
    answers
}

/// Softmax of a few scores.
pub fn softmax(scores: &[f64]) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    scores.iter().map(|score| (score - most).exp() / sum).collect()
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
