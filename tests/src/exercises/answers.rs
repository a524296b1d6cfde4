//! Answers to numbered questions.

use std::fmt::Debug;

/// Compares answers to numbered questions; each wrong one is shown with its hint.
#[track_caller]
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
