//! 6.7: a batch that shares its attention.

use crate::solutions;
use crate::support::softmax_less;
use shared::Vector;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, wrong};
use tests::expect;

type Segments = fn(&[f32], &[usize]) -> Vec<f32>;

const LARGEST: &str = "subtract the sentence's largest score before you exponentiate";

pub const EXERCISE: Exercise<Segments> = Exercise {
    number: 7,
    title: "spot the bug: a batch that shares its attention",
    kind: Kind::SpotTheBug,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong(
            ORIGINAL_BUG,
            "all weights together sum to 1: each sentence's own should",
            |scores, offsets| {
                let all = sentence_by_sentence(scores, offsets, |e| e.map(|x| (x - e.max()).exp()));
                let sum: f32 = all.iter().sum();
                all.iter().map(|weight| weight / sum).collect()
            },
        ),
        wrong("the largest score counted from 0", LARGEST, |scores, offsets| {
            sentence_by_sentence(scores, offsets, |e| softmax_less(|e| e.max().max(0.0), e))
        }),
        wrong("the first score subtracted", LARGEST, |scores, offsets| {
            sentence_by_sentence(scores, offsets, |e| softmax_less(|e| e[0], e))
        }),
        wrong(
            "no exponential",
            "the scores themselves were divided by their sum: an exponential makes them positive first",
            |scores, offsets| sentence_by_sentence(scores, offsets, |e| &e / e.sum()),
        ),
    ],
};

fn check(softmax_in_segments: Segments) {
    let scores = [1.0, 3.0, -2.0, 500.0, 0.5, 0.25, -300.0, -301.0, -95.0, 90.0];
    let offsets = [0, 3, 4, 6, 8, 10];
    let right = solutions::softmax_in_segments(&scores, &offsets);
    expect(softmax_in_segments(&scores, &offsets), right, 1e-5)
        .of("softmax_in_segments(scores, [0, 3, 4, 6, 8, 10])")
        .given("scores", scores)
        .check();
}

fn sentence_by_sentence(scores: &[f32], offsets: &[usize], f: fn(Vector) -> Vector) -> Vec<f32> {
    let of = |words: &[usize]| -> Vec<f32> {
        f(Vector::from_column_slice(&scores[words[0]..words[1]])).as_slice().to_vec()
    };
    offsets.windows(2).flat_map(of).collect()
}
