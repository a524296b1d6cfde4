//! 10.1: a normalisation that was copied often.

use crate::support::{column_by_column, matrix, standardised, vector};
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type LayerNorm = fn(&Matrix, &Vector, &Vector) -> Matrix;

pub fn exercise() -> Exercise<LayerNorm> {
    Exercise {
        number: 1,
        title: "spot the bug: a normalisation that was copied often",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "d − 1",
                answer: |x, gain, bias| by(x, gain, bias, |sum, d| (sum / (d - 1.0)).sqrt() + 1e-5),
            },
            Wrong {
                name: "ε still beside the root",
                hint: "under the root",
                answer: |x, gain, bias| by(x, gain, bias, beside),
            },
            Wrong {
                name: "still divided by d − 1",
                hint: "d − 1",
                answer: |x, gain, bias| by(x, gain, bias, one_less),
            },
            Wrong {
                name: "no ε at all",
                hint: "constant",
                answer: |x, gain, bias| by(x, gain, bias, |sum, d| (sum / d).sqrt()),
            },
            Wrong {
                name: "divided by the variance",
                hint: "the root is missing",
                answer: |x, gain, bias| by(x, gain, bias, variance),
            },
            Wrong {
                name: "over all tokens together",
                hint: "by itself",
                answer: |x, gain, bias| affine(standardised(x), gain, bias),
            },
            Wrong {
                name: "along the rows",
                hint: "that is batch normalisation",
                answer: |x, gain, bias| affine(along_rows(x), gain, bias),
            },
        ],
    }
}

fn check(layer_norm: LayerNorm) {
    let (gain, bias) = (vector(3, 0.4), vector(3, 1.9));
    // Tokens of ordinary size; tokens so even that ε counts; a constant one.
    let constant = Matrix::from_element(3, 2, 0.5);
    for x in [matrix(3, 4, 0.3), matrix(3, 2, 0.3) * 0.003, constant] {
        let found = layer_norm(&x, &gain, &bias);
        assert!(
            found.iter().all(|y| y.is_finite()),
            "layer_norm(x, gain, bias) is not finite:{found}for a constant token, x = {x}\
             hint: the variance of a constant token is 0, and ε keeps it from being divided by"
        );
        let of = |scale: fn(f32, f32) -> f32| by(&x, &gain, &bias, scale);
        expect(found, of(right), 1e-4)
            .of("layer_norm(x, gain, bias)")
            .given("x", &x)
            .given("gain", &gain)
            .given("bias", &bias)
            .or_hint(of(one_less), "divided by d − 1, as for a sample: the variance here is the mean of the squares")
            .or_hint(
                of(|sum, d| (sum / (d - 1.0)).sqrt() + 1e-5),
                "divided by d − 1, as for a sample, and ε added to the root",
            )
            .or_hint(of(beside), "ε belongs under the root: for an even token it is larger than σ² and smaller than σ")
            .or_hint(of(variance), "divided by the variance: the root is missing")
            .or_hint(affine(standardised(&x), &gain, &bias), "one mean for all tokens: each is normalised by itself")
            .or_hint(affine(along_rows(&x), &gain, &bias), "each row over the tokens: that is batch normalisation")
            .check();
    }
}

fn right(sum: f32, d: f32) -> f32 {
    (sum / d + 1e-5).sqrt()
}

fn one_less(sum: f32, d: f32) -> f32 {
    (sum / (d - 1.0) + 1e-5).sqrt()
}

fn beside(sum: f32, d: f32) -> f32 {
    (sum / d).sqrt() + 1e-5
}

fn variance(sum: f32, d: f32) -> f32 {
    sum / d + 1e-5
}

/// Divided by `scale` of the sum of the squared deviations and of d.
fn by(x: &Matrix, gain: &Vector, bias: &Vector, scale: fn(f32, f32) -> f32) -> Matrix {
    let z = column_by_column(x, |x| {
        let deviation = x.add_scalar(-x.mean());
        let scale = scale(deviation.norm_squared(), x.len() as f32);
        deviation / scale
    });
    affine(z, gain, bias)
}

fn along_rows(x: &Matrix) -> Matrix {
    column_by_column(&x.transpose(), standardised).transpose()
}

fn affine(z: Matrix, gain: &Vector, bias: &Vector) -> Matrix {
    Matrix::from_fn(z.nrows(), z.ncols(), |i, j| gain[i] * z[(i, j)] + bias[i])
}
