//! 7.5: weights that forget where they should look.

use super::solutions;
use shared::Float;
use std::ops::Range;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard};

type LocalP = fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>;

const LARGEST: &str = "before you exponentiate, subtract the largest score in the window";

pub const EXERCISE: Exercise<LocalP> = Exercise {
    check,
    wrong: &[
        bug(
            "these weights sum to 1 again: equation 10 does not divide by their sum",
            |scores, p, width, window| {
                let weights = solutions::local_p(scores, p, width, window);
                let sum: Float = weights.iter().sum();
                weights.into_iter().map(|weight| weight / sum).collect()
            },
        ),
        wrong("the softmax is over the window alone", |scores, p, width, window| {
            solutions::local_p(scores, p, width, 0..scores.len())[window].to_vec()
        }),
        wrong("the Gaussian is missing", |scores, p, _, window| {
            solutions::local_p(scores, p, 1_000_000, window)
        }),
        wrong(LARGEST, |scores, p, width, window| {
            shifted(largest(scores), scores, p, width, window)
        }),
    ],
};

fn check(local_p: LocalP) {
    let small = [0.5, 2.0, -1.0, 1.0, 3.0];
    let several = [
        (small, 2.3, 2, 1..5),
        (small, 0.4, 1, 0..2),
        (small, 4.9, 1, 4..5),
        // The largest score stands outside the window, and those inside are large, too.
        ([500.0, 102.0, 99.0, 101.0, 103.0], 2.3, 2, 1..5),
    ];
    let own = several.map(|(scores, p, width, window)| ("", scores.to_vec(), p, width, window));
    let hard = hard::scores().map(|(hint, x)| (hint, x.as_slice().to_vec(), 0.3, 2, 0..x.len()));
    for (hint, scores, p, width, window) in own.into_iter().chain(hard) {
        let right = solutions::local_p(&scores, p, width, window.clone());
        expect(local_p(&scores, p, width, window.clone()), right, 1e-4)
            .of(format!("local_p({scores:?}, {p}, {width}, {window:?})"))
            .hint(hint)
            .check();
    }
}

/// Right, except for what is subtracted from the scores: the largest in the window.
fn shifted(
    shift: Float,
    scores: &[Float],
    p: Float,
    width: usize,
    window: Range<usize>,
) -> Vec<Float> {
    let exponential = |j: usize| (scores[j] - shift).exp();
    let sum: Float = window.clone().map(exponential).sum();
    let right = solutions::local_p(&vec![0.0; scores.len()], p, width, window.clone());
    let even = window.len() as Float; // the weights of equal scores, except for the Gaussian
    window.zip(right).map(|(j, near)| exponential(j) / sum * near * even).collect()
}

fn largest(scores: &[Float]) -> Float {
    scores.iter().copied().fold(Float::MIN, Float::max)
}
