//! 6.2: contexts of a batch.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type Contexts = fn(&Matrix, &[f32], &[usize]) -> Matrix;

pub const EXERCISE: Exercise<Contexts> = Exercise {
    check,
    wrong: &[
        wrong(
            "weights are cut by offsets too: sentence 1 has weight 3, not weight 0",
            |values, weights, offsets| mean(values, offsets, |i, start, _| weights[i - start]),
        ),
        wrong("all words alike: where are the weights?", |values, _, offsets| {
            mean(values, offsets, |_, start, end| 1.0 / (end - start) as f32)
        }),
        wrong("weights already sum to 1", |values, weights, offsets| {
            mean(values, offsets, |i, start, end| weights[i] / (end - start) as f32)
        }),
        wrong("the words are added up, with +=", |values, weights, offsets| {
            mean(values, offsets, |i, _, end| if i + 1 == end { weights[i] } else { 0.0 })
        }),
        wrong("a sentence sees its own words only", |values, weights, offsets| {
            let all = solutions::contexts(values, weights, &[0, weights.len()]);
            Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, _| all[a])
        }),
        wrong("a sentence becomes one column", |values, weights, _| {
            Matrix::from_fn(values.nrows(), weights.len(), |a, i| values[(a, i)] * weights[i])
        }),
    ],
};

fn check(contexts: Contexts) {
    let offsets = [0, 3, 4, 6];
    let weights = [0.2, 0.5, 0.3, 1.0, 0.9, 0.1];
    let values = uneven(2, 8, 0.3); // the last two belong to a sentence that is finished
    let right = solutions::contexts(&values, &weights, &offsets);
    expect(contexts(&values, &weights, &offsets), right, 1e-5)
        .of("contexts(values, weights, [0, 3, 4, 6])")
        .given("values, the first six columns", values.columns(0, 6))
        .given("weights", weights)
        .check();
}

/// Sentence by sentence; `weight(i, start, end)` is that of word i in the sentence start..end.
fn mean(values: &Matrix, offsets: &[usize], weight: impl Fn(usize, usize, usize) -> f32) -> Matrix {
    Matrix::from_fn(values.nrows(), offsets.len() - 1, |a, j| {
        let (start, end) = (offsets[j], offsets[j + 1]);
        (start..end).map(|i| values[(a, i)] * weight(i, start, end)).sum()
    })
}
