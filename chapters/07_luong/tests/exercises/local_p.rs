//! 7.5: weights that forget where they were told to look.

use shared::Float;
use std::ops::Range;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type LocalP = fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>;

pub fn exercise() -> Exercise<LocalP> {
    Exercise {
        number: 5,
        title: "spot the bug: weights that forget where they were told to look",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "sum to 1 again", answer: renormalised },
            Wrong {
                name: "softmax over the sentence",
                hint: "words outside the window",
                answer: over_the_sentence,
            },
            Wrong {
                name: "no score subtracted",
                hint: "the largest score in the window",
                answer: |scores, p, width, window| shifted(0.0, scores, p, width, window),
            },
            Wrong {
                name: "the sentence's largest score subtracted",
                hint: "the largest score in the window",
                answer: |scores, p, width, window| {
                    shifted(largest(scores), scores, p, width, window)
                },
            },
            Wrong {
                name: "the largest score counted from 0",
                hint: "the largest score in the window",
                answer: |scores, p, width, window| {
                    shifted(largest(&scores[window.clone()]).max(0.0), scores, p, width, window)
                },
            },
            Wrong {
                name: "no Gaussian",
                hint: "",
                answer: |scores, _, _, window| softmax(&scores[window]),
            },
        ],
    }
}

fn check(local_p: LocalP) {
    let scores = [0.5, 2.0, -1.0, 1.0, 3.0];
    for (p, width, window) in [(2.3, 2, 1..5), (0.4, 1, 0..2), (4.9, 1, 4..5)] {
        let all = |s: usize| {
            let sum: f64 = window.clone().map(|s| f64::from(scores[s]).exp()).sum();
            let sigma = width as f64 / 2.0;
            let near = (-(s as f64 - f64::from(p)).powi(2) / (2.0 * sigma * sigma)).exp();
            f64::from(scores[s]).exp() / sum * near
        };
        let expected: Vec<f64> = window.clone().map(all).collect();
        expect(local_p(&scores, p, width, window.clone()), expected, 1e-5)
            .of(format!("local_p({scores:?}, {p}, {width}, {window:?})"))
            .or_hint(
                renormalised(&scores, p, width, window.clone()),
                "these weights sum to 1 again: equation 10 does not divide by their sum",
            )
            .or_hint(
                over_the_sentence(&scores, p, width, window.clone()),
                "words outside the window take part in the softmax",
            )
            .check();
    }
    // The largest score stands outside the window, and those inside are large, too; or all far below 0; or
    // hundreds apart.
    let (p, width, window) = (2.3, 2, 1..5);
    for (large, inside) in [
        ([500.0, 102.0, 99.0, 101.0, 103.0], 103.0),
        ([0.0, -202.0, -199.0, -203.0, -201.0], -199.0),
        ([0.0, 102.0, 499.0, -301.0, 103.0], 499.0),
    ] {
        let found = local_p(&large, p, width, window.clone());
        assert!(
            found.iter().all(|weight| weight.is_finite()),
            "local_p({large:?}, {p}, {width}, {window:?}) is {found:?}: before you exponentiate, subtract the largest score in the window"
        );
        expect(found, shifted(inside, &large, p, width, window.clone()), 1e-5)
            .of(format!("local_p({large:?}, {p}, {width}, {window:?})"))
            .check();
    }
}

/// The function as the exercise gives it.
fn renormalised(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    let weight = |s: usize| scores[s].exp() * near(s, p, width);
    let sum: Float = window.clone().map(weight).sum();
    window.map(|s| weight(s) / sum).collect()
}

fn over_the_sentence(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    let alpha = softmax(scores);
    window.map(|s| alpha[s] * near(s, p, width)).collect()
}

/// Right, but for what is subtracted from the scores: the largest in the window.
fn shifted(
    shift: Float,
    scores: &[Float],
    p: Float,
    width: usize,
    window: Range<usize>,
) -> Vec<Float> {
    let exponential = |s: usize| (scores[s] - shift).exp();
    let sum: Float = window.clone().map(exponential).sum();
    window.map(|s| exponential(s) / sum * near(s, p, width)).collect()
}

fn near(s: usize, p: Float, width: usize) -> Float {
    let sigma = width as Float / 2.0;
    (-(s as Float - p).powi(2) / (2.0 * sigma * sigma)).exp()
}

fn softmax(scores: &[Float]) -> Vec<Float> {
    let exponentials = scores.iter().map(|score| (score - largest(scores)).exp());
    let sum: Float = exponentials.clone().sum();
    exponentials.map(|e| e / sum).collect()
}

fn largest(scores: &[Float]) -> Float {
    scores.iter().copied().fold(Float::MIN, Float::max)
}
