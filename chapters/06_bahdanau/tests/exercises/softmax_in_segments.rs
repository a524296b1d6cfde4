//! 6.7: a batch that shares its attention.

use super::solutions;
use super::support::softmax_less;
use shared::Vector;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard};

type Sequences = fn(&[f32], &[usize]) -> Vec<f32>;

const LARGEST: &str = "subtract the sentence's largest score before you exponentiate";

pub const EXERCISE: Exercise<Sequences> = Exercise {
    check,
    wrong: &[
        bug("all weights together sum to 1: each sentence's own should", |scores, offsets| {
            let all = sentence_by_sentence(scores, offsets, |e| e.map(|x| (x - e.max()).exp()));
            let sum: f32 = all.iter().sum();
            all.iter().map(|weight| weight / sum).collect()
        }),
        wrong(LARGEST, |scores, offsets| {
            sentence_by_sentence(scores, offsets, |e| softmax_less(|e| e.max().max(0.0), e))
        }),
        wrong(
            "the scores themselves were divided by their sum: an exponential makes them positive first",
            |scores, offsets| sentence_by_sentence(scores, offsets, |e| &e / e.sum()),
        ),
    ],
};

fn check(softmax_in_segments: Sequences) {
    let sentences: Vec<Vector> = hard::scores().map(|(_, scores)| scores).collect();
    for batch in sentences.windows(2).chain([&sentences[..], &[]]) {
        let scores: Vec<f32> = batch.iter().flat_map(|scores| scores.as_slice().to_vec()).collect();
        let offsets = hard::offsets(&batch.iter().map(|scores| scores.len()).collect::<Vec<_>>());
        let right = solutions::softmax_in_segments(&scores, &offsets);
        expect(softmax_in_segments(&scores, &offsets), right, 1e-4)
            .of(format!("softmax_in_segments({scores:?}, {offsets:?})"))
            .check();
    }
}

fn sentence_by_sentence(scores: &[f32], offsets: &[usize], f: fn(Vector) -> Vector) -> Vec<f32> {
    let each = offsets.windows(2).flat_map(|words| {
        f(Vector::from_column_slice(&scores[words[0]..words[1]])).as_slice().to_vec()
    });
    each.collect()
}
