//! 6.2: contexts of a batch.

use crate::support::matrix;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Contexts = fn(&Matrix, &[f32], &[usize]) -> Matrix;

pub fn exercise() -> Exercise<Contexts> {
    Exercise {
        number: 2,
        title: "contexts of a batch",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "weights counted from 0 in every sentence",
                hint: "weights are cut by offsets too",
                answer: |values, weights, offsets| {
                    mean(values, offsets, |i, start| weights[i - start])
                },
            },
            Wrong { name: "a plain mean", hint: "every word the same", answer: plain_mean },
            Wrong { name: "divided by the length", hint: "already sum to 1", answer: divided },
            Wrong {
                name: "= for +=",
                hint: "last word alone",
                answer: |values, weights, offsets| {
                    mean(values, offsets, |i, _| last(offsets, i) * weights[i])
                },
            },
            Wrong { name: "everybody's words", hint: "its own words", answer: everybodys },
            Wrong {
                name: "the last word left out",
                hint: "",
                answer: |values, weights, offsets| {
                    mean(values, offsets, |i, _| (1.0 - last(offsets, i)) * weights[i])
                },
            },
            Wrong {
                name: "a context for every word",
                hint: "",
                answer: |values, weights, _| {
                    Matrix::from_fn(values.nrows(), weights.len(), |a, i| {
                        values[(a, i)] * weights[i]
                    })
                },
            },
        ],
    }
}

fn check(contexts: Contexts) {
    let offsets = [0, 3, 4, 6];
    let weights = [0.2, 0.5, 0.3, 1.0, 0.9, 0.1];
    let values = matrix(2, 8, 0.3); // the last two belong to a sentence that is finished
    expect(contexts(&values, &weights, &offsets), mean(&values, &offsets, |i, _| weights[i]), 1e-5)
        .of("contexts(values, weights, [0, 3, 4, 6])")
        .given("values, the first six columns", values.columns(0, 6))
        .given("weights", weights)
        .or_hint(
            mean(&values, &offsets, |i, start| weights[i - start]),
            "weights are cut by offsets too: sentence 1 has weight 3, not weight 0",
        )
        .or_hint(
            plain_mean(&values, &weights, &offsets),
            "every word the same: where are the weights?",
        )
        .or_hint(
            divided(&values, &weights, &offsets),
            "weights already sum to 1: do not divide again",
        )
        .or_hint(
            mean(&values, &offsets, |i, _| last(&offsets, i) * weights[i]),
            "each sentence's last word alone: the words are added up, with +=",
        )
        .or_hint(
            everybodys(&values, &weights, &offsets),
            "a sentence may look at its own words only",
        )
        .check();
}

/// Sentence by sentence; `weight(i, start)` is that of word i in the sentence that begins at start.
fn mean(values: &Matrix, offsets: &[usize], weight: impl Fn(usize, usize) -> f32) -> Matrix {
    Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, j| {
        (offsets[j]..offsets[j + 1]).map(|i| values[(a, i)] * weight(i, offsets[j])).sum()
    })
}

/// 1 for the last word of a sentence, 0 for the others.
fn last(offsets: &[usize], i: usize) -> f32 {
    f32::from(u8::from(offsets.contains(&(i + 1))))
}

fn plain_mean(values: &Matrix, _: &[f32], offsets: &[usize]) -> Matrix {
    let length =
        |i: usize| offsets.windows(2).find(|w| (w[0]..w[1]).contains(&i)).map(|w| w[1] - w[0]);
    mean(values, offsets, |i, _| 1.0 / length(i).unwrap_or(1) as f32)
}

fn divided(values: &Matrix, weights: &[f32], offsets: &[usize]) -> Matrix {
    let mut contexts = mean(values, offsets, |i, _| weights[i]);
    for (mut context, words) in contexts.column_iter_mut().zip(offsets.windows(2)) {
        context /= (words[1] - words[0]) as f32;
    }
    contexts
}

fn everybodys(values: &Matrix, weights: &[f32], offsets: &[usize]) -> Matrix {
    let all = mean(values, &[0, weights.len()], |i, _| weights[i]);
    Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, _| all[a])
}
