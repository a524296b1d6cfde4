//! 7.2 softmax

use tests::exercises::{Exercise, wrong};
use tests::expect;

use super::{Matrix, solutions};

pub const EXERCISE: Exercise<fn(&Matrix) -> Matrix> = Exercise {
    check,
    wrong: &[
        wrong(
            "these are softmaxes over rows: a column is a query, so each column must sum to 1",
            over_rows,
        ),
        wrong("∞/∞: subtract the column's maximum first", without_maximum),
    ],
};

fn check(softmax: fn(&Matrix) -> Matrix) {
    let scores = Matrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 3.0_f32.ln()]);
    expect(softmax(&scores), [[0.5, 0.25], [0.5, 0.75]], 1e-6)
        .of("softmax(scores)")
        .given("scores", &scores)
        .check();
    expect(softmax(&Matrix::from_element(2, 1, 1000.0)), [0.5, 0.5], 1e-6)
        .of("softmax of large scores")
        .check();
}

pub fn over_rows(scores: &Matrix) -> Matrix {
    solutions::softmax(&scores.transpose()).transpose()
}

fn without_maximum(scores: &Matrix) -> Matrix {
    let mut weights = scores.map(f32::exp);
    for mut column in weights.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    weights
}
