//! 10.1: a normalisation that was copied often.

use super::support::{column_by_column, standardised};
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven, uneven_vector};

pub type LayerNorm = fn(&Matrix, &Vector, &Vector) -> Matrix;

pub const EXERCISE: Exercise<LayerNorm> = Exercise {
    check,
    wrong: &[
        bug(ONE_LESS, |x, gain, bias| by(x, gain, bias, |sum, d| (sum / (d - 1.0)).sqrt() + 1e-5)),
        wrong(ONE_LESS, |x, gain, bias| {
            by(x, gain, bias, |sum, d| (sum / (d - 1.0) + 1e-5).sqrt())
        }),
        wrong(
            "ε belongs under the root: in this token it counts there, and beside the root it does not",
            |x, gain, bias| by(x, gain, bias, |sum, d| (sum / d).sqrt() + 1e-5),
        ),
        wrong(
            "the variance of a constant token is 0, and ε keeps it from being divided by",
            |x, gain, bias| by(x, gain, bias, |sum, d| (sum / d).sqrt()),
        ),
        wrong("divided by the variance: the root is missing", |x, gain, bias| {
            by(x, gain, bias, |sum, d| sum / d + 1e-5)
        }),
        wrong("one mean for all tokens: each is normalised by itself", |x, gain, bias| {
            affine(standardised(x), gain, bias)
        }),
        wrong("each row over the tokens: that is batch normalisation", |x, gain, bias| {
            let z = column_by_column(&x.transpose(), standardised).transpose();
            affine(z, gain, bias)
        }),
        wrong(
            "of the mean of the squares less the square of the mean little is left in f32: square the deviations",
            |x, gain, bias| {
                let z = column_by_column(x, |x| {
                    let variance = x.norm_squared() / x.len() as f32 - x.mean().powi(2);
                    x.add_scalar(-x.mean()) / (variance.max(0.0) + 1e-5).sqrt()
                });
                affine(z, gain, bias)
            },
        ),
    ],
};

const ONE_LESS: &str =
    "divided by d − 1, as for a sample: the variance here is the mean of the squares";

fn check(layer_norm: LayerNorm) {
    let x = uneven(3, 4, 0.3);
    for (what, x, tolerance) in [
        ("x", x.clone(), 1e-4),
        ("tokens of seven entries", uneven(7, 2, 0.8), 1e-4),
        ("a constant token", Matrix::from_element(3, 2, 0.5), 1e-4),
        ("x + 1000", x.add_scalar(1000.0), 1e-3),
        ("tokens with a variance like ε", x * 0.003, 1e-4),
    ] {
        let (gain, bias) = (uneven_vector(x.nrows(), 0.4), uneven_vector(x.nrows(), 1.9));
        let right = affine(column_by_column(&x, standardised), &gain, &bias);
        let found = layer_norm(&x, &gain, &bias);
        let expectation = expect(found, right, tolerance).of(format!("layer_norm of {what}"));
        expectation.given("x", &x).given("gain", &gain).given("bias", &bias).check();
    }
}

/// Divided by `scale` of the sum of the squared deviations and of d.
fn by(x: &Matrix, gain: &Vector, bias: &Vector, scale: fn(f32, f32) -> f32) -> Matrix {
    let z = column_by_column(x, |x| {
        let deviation = x.add_scalar(-x.mean());
        &deviation / scale(deviation.norm_squared(), x.len() as f32)
    });
    affine(z, gain, bias)
}

fn affine(z: Matrix, gain: &Vector, bias: &Vector) -> Matrix {
    Matrix::from_fn(z.nrows(), z.ncols(), |i, j| gain[i] * z[(i, j)] + bias[i])
}
