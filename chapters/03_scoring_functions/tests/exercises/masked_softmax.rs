//! 3.2 masked softmax: large scores, empty columns, and masked NaN

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type MaskedSoftmax = fn(&Matrix, &[usize]) -> Matrix;

pub const EXERCISE: Exercise<MaskedSoftmax> = Exercise {
    check,
    wrong: &[
        wrong("a column belongs to a query: columns sum to 1", |s, visible| {
            softmax(&hidden(s, visible, f32::NEG_INFINITY).transpose()).transpose()
        }),
        wrong("visible weights no longer sum to 1", |s, visible| hidden(&softmax(s), visible, 0.0)),
        wrong(
            "a score of 0 hides nothing: e⁰ is 1, so hidden entries get a weight",
            |s, visible| softmax(&hidden(s, visible, 0.0)),
        ),
        wrong("one entry too many is visible: 0..length, not 0..=length", |s, visible| {
            let one_more = visible.iter().map(|length| (length + 1).min(s.nrows()));
            solutions::masked_softmax(s, &one_more.collect::<Vec<_>>())
        }),
        wrong(
            "e¹⁰⁰⁰ is infinite and e⁻¹⁰⁰⁰ is 0: subtract the largest visible score of the column first",
            |s, visible| less(s, visible, |_| 0.0),
        ),
        wrong("the largest score is masked: subtract the largest visible score", |s, visible| {
            less(s, visible, |largest| largest)
        }),
        wrong(
            "a query that sees nothing: its sum of exponentials is 0, and 0/0 is NaN. Its weights should be zeros",
            |s, visible| softmax(&hidden(s, visible, f32::NEG_INFINITY)),
        ),
    ],
};

fn check(masked_softmax: MaskedSoftmax) {
    let scores = Matrix::from_row_slice(3, 3, &[0.0, 1.0, -2.0, 1.1, 1.0, 1.0, 1.0, 1.7, 5.0]);
    let large = [-1e3, -1e3, 1e3, 1e3, 1e3, -1e3, -1e3, 1e3, 0.0, 1e3, 999.0, 0.0];
    let several = [
        (scores, vec![2, 3, 1]),
        (Matrix::from_column_slice(3, 4, &large), vec![2; 4]),
        (Matrix::from_column_slice(2, 2, &[1.0, 2.0, 0.0, 0.0]), vec![0, 2]),
    ];
    let hard = hard::scores().map(|(_, scores)| (scores.len(), Matrix::from_columns(&[scores])));
    let hard = hard.map(|(n, scores)| (scores.insert_row(n, f32::NAN), vec![n]));
    for (scores, lengths) in several.into_iter().chain(hard) {
        let right = solutions::masked_softmax(&scores, &lengths);
        expect(masked_softmax(&scores, &lengths), right, 1e-4)
            .of(format!("masked_softmax(scores, {lengths:?})"))
            .given("scores", &scores)
            .check();
    }
}

fn softmax(scores: &Matrix) -> Matrix {
    solutions::masked_softmax(scores, &vec![scores.nrows(); scores.ncols()])
}

/// The scores, with masked ones replaced.
fn hidden(scores: &Matrix, lengths: &[usize], by: f32) -> Matrix {
    Matrix::from_fn(scores.nrows(), scores.ncols(), |i, j| {
        if i < lengths[j] { scores[(i, j)] } else { by }
    })
}

/// `shift(the column's largest score)` is subtracted before the exponential.
fn less(scores: &Matrix, lengths: &[usize], shift: fn(f32) -> f32) -> Matrix {
    let mut weights = scores.clone();
    for (mut column, &length) in weights.column_iter_mut().zip(lengths) {
        let shift = shift(column.max());
        column.apply(|s| *s = (*s - shift).exp());
        column.rows_range_mut(length..).fill(0.0);
        let sum = column.sum();
        column.rows_range_mut(..length).apply(|weight| *weight /= sum);
    }
    weights
}
