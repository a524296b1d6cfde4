//! 5.4: the gradient of the cross-entropy.

use super::solutions;
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard};

pub type Gradient = fn(&Matrix, &[usize]) -> Matrix;

pub const EXERCISE: Exercise<Gradient> = Exercise {
    check,
    wrong: &[
        wrong("a larger logit of the target lowers the loss", |z, y| {
            -solutions::cross_entropy_gradient(z, y)
        }),
        wrong("the loss is summed over columns, no mean", |z, y| {
            solutions::cross_entropy_gradient(z, y) / y.len() as f32
        }),
        wrong("the sum's logarithm holds the other words' logits", |z, y| {
            solutions::cross_entropy_gradient(z, y).map(|d| d.min(0.0))
        }),
        wrong("probabilities: where has the target gone?", |z, _| probabilities(z)),
        wrong("a column is a distribution, not a row", |z, y| {
            less_target(probabilities(&z.transpose()).transpose(), y)
        }),
        wrong(
            "subtract each column's own largest logit: less than that of all, a column is nothing but 0",
            |z, y| less_target(normalised(z.map(|x| (x - z.max()).exp())), y),
        ),
        wrong("these are other logits: subtract the column's largest", |z, y| {
            solutions::cross_entropy_gradient(&z.map(|x| x.clamp(-80.0, 80.0)), y)
        }),
    ],
};

fn check(cross_entropy_gradient: Gradient) {
    let logits =
        |columns: usize, rows: &[f32]| Matrix::from_row_slice(rows.len() / columns, columns, rows);
    let several = [
        (logits(2, &[1.0, -0.5, 0.0, 2.0, -2.0, 0.5]), &[2, 0][..]),
        (logits(3, &[1000.0, -1001.0, -1000.0, 999.0, -1000.0, 1000.0]), &[1, 0, 0]),
    ];
    let own = several.map(|input| ("", input));
    let hard = hard::scores().map(|(hint, z)| (hint, (Matrix::from_columns(&[z]), &[0][..])));
    for (hint, (logits, targets)) in own.into_iter().chain(hard) {
        let loss = |z: &nalgebra::DMatrix<f64>| -> f64 {
            let losses = targets.iter().enumerate().map(|(j, y)| {
                let max = z.column(j).max();
                max + z.column(j).map(|z| (z - max).exp()).sum().ln() - z[(*y, j)]
            });
            losses.sum()
        };
        // in single precision ln Σ exp of logits near 1000 is known to 6 · 10⁻⁵ only
        expect(cross_entropy_gradient(&logits, targets), finite_difference(loss, &logits), 1e-4)
            .of(format!("cross_entropy_gradient(logits, {targets:?})"))
            .given("logits", &logits)
            .hint(hint)
            .check();
    }
}

fn probabilities(logits: &Matrix) -> Matrix {
    let mut p = logits.clone();
    softmax_columns(&mut p);
    p
}

/// Every column divided by its sum.
fn normalised(mut exponentials: Matrix) -> Matrix {
    exponentials.column_iter_mut().for_each(|mut column| column /= column.sum());
    exponentials
}

fn less_target(mut p: Matrix, targets: &[usize]) -> Matrix {
    targets.iter().enumerate().for_each(|(j, y)| p[(*y, j)] -= 1.0);
    p
}
