//! 7.1 mean of each column

use tests::assert_close;
use tests::exercises::{Exercise, unhinted, wrong};

use super::Matrix;

pub const EXERCISE: Exercise<fn(&Matrix) -> Matrix> = Exercise {
    check,
    wrong: &[
        unhinted("mean of each row", |x| {
            Matrix::from_fn(1, x.ncols(), |_, i| x.row(i % x.nrows()).mean())
        }),
        wrong("divide by the number of entries", sum),
    ],
};

fn check(mean: fn(&Matrix) -> Matrix) {
    let x = Matrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 5.0, 8.0, 13.0]);
    assert_close!(mean(&x), [[3.0, 5.0, 8.0]], 1e-6, "mean(x)");
}

fn sum(x: &Matrix) -> Matrix {
    Matrix::from_fn(1, x.ncols(), |_, column| x.column(column).sum())
}
