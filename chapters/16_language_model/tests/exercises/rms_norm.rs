//! 16.1: root mean square.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

pub type RmsNorm = fn(&Matrix, &Matrix, f32) -> Matrix;

pub const EXERCISE: Exercise<RmsNorm> = Exercise {
    check,
    wrong: &[
        wrong("no mean is subtracted: that is LayerNorm", |x, g, epsilon| {
            let mut x = x.clone();
            x.column_iter_mut().for_each(|mut column| column.add_scalar_mut(-column.mean()));
            solutions::rms_norm(&x, g, epsilon)
        }),
        wrong("the mean of the squares, not their sum", |x, g, epsilon| {
            solutions::rms_norm(x, g, epsilon) / (x.nrows() as f32).sqrt()
        }),
        wrong("the square root of the mean square", |x, g, epsilon| {
            by_column(x, g, |mean| mean + epsilon)
        }),
        wrong("ε is added under the root", |x, g, epsilon| {
            by_column(x, g, |mean| mean.sqrt() + epsilon)
        }),
        wrong("every column has a mean square of its own", |x, g, epsilon| {
            let mean = x.norm_squared() / x.len() as f32;
            by_column(x, g, |_| (mean + epsilon).sqrt())
        }),
        wrong("the gain multiplies what comes out", |x, _, epsilon| {
            solutions::rms_norm(x, &Matrix::from_element(x.nrows(), 1, 1.0), epsilon)
        }),
    ],
};

fn by_column(x: &Matrix, g: &Matrix, divisor: impl Fn(f32) -> f32) -> Matrix {
    Matrix::from_fn(x.nrows(), x.ncols(), |i, j| {
        let mean = x.column(j).norm_squared() / x.nrows() as f32;
        g[i] * x[(i, j)] / divisor(mean)
    })
}

fn check(rms_norm: RmsNorm) {
    let small = Matrix::from_column_slice(2, 2, &[3.0, -4.0, 1.0, 1.0]);
    let ones = Matrix::from_element(2, 1, 1.0);
    let hint = "the mean square of the first column is 12.5, of the second 1";
    let cases = [
        (small, ones, 0.0, hint),
        (
            uneven(5, 3, 0.4),
            uneven(5, 1, 2.0),
            0.3,
            "the gain has an entry a row; ε is not small here",
        ),
        (
            uneven(3, 4, 1.0).add_scalar(5.0),
            uneven(3, 1, 0.0),
            1e-5,
            "entries that are all about 5 stay about alike",
        ),
        (Matrix::zeros(4, 2), uneven(4, 1, 1.0), 1e-5, "a column of zeros stays one"),
    ];
    for (x, g, epsilon, hint) in cases {
        let expected = by_column(&x, &g, |mean| (mean + epsilon).sqrt());
        expect(rms_norm(&x, &g, epsilon), expected, 1e-5)
            .of(format!("rms_norm(x, g, {epsilon})"))
            .given("x", &x)
            .given("g", &g)
            .hint(hint)
            .check();
    }
}
