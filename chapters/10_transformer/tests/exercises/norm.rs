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
            Wrong {
                name: "the mean of the squares less the square of the mean",
                hint: "little is left",
                answer: |x, gain, bias| affine(by_squares(x), gain, bias),
            },
        ],
    }
}

fn check(layer_norm: LayerNorm) {
    let (gain, bias) = (vector(3, 0.4), vector(3, 1.9));
    let of = |x: &Matrix, scale| by(x, &gain, &bias, scale);
    let expected = |x: &Matrix| {
        expect(layer_norm(x, &gain, &bias), of(x, right), 1e-4)
            .of("layer_norm(x, gain, bias)")
            .given("x", x)
            .given("gain", &gain)
            .given("bias", &bias)
            .or_hint(
                of(x, one_less),
                "divided by d − 1, as for a sample: the variance here is the mean of the squares",
            )
    };
    let x = matrix(3, 4, 0.3);
    expected(&x)
        .or_hint(of(&x, variance), "divided by the variance: the root is missing")
        .or_hint(
            affine(standardised(&x), &gain, &bias),
            "one mean for all tokens: each is normalised by itself",
        )
        .or_hint(
            affine(along_rows(&x), &gain, &bias),
            "each row over the tokens: that is batch normalisation",
        )
        .check();
    let (wide, g, b) = (matrix(7, 2, 0.8), vector(7, 1.1), vector(7, 2.6));
    expect(layer_norm(&wide, &g, &b), by(&wide, &g, &b, right), 1e-4)
        .of("layer_norm of tokens of seven entries")
        .check();
    let constant = Matrix::from_element(3, 2, 0.5);
    let found = layer_norm(&constant, &gain, &bias);
    assert!(
        found.iter().all(|y| y.is_finite()),
        "layer_norm(x, gain, bias) is not finite for the constant token x = (0.5, 0.5, 0.5): {:?}\n\
         hint: its variance is 0, and ε keeps it from being divided by",
        found.column(0).as_slice()
    );
    expect(found, of(&constant, right), 1e-4).of("layer_norm of a constant token").check();
    let far = x.add_scalar(1000.0);
    expect(layer_norm(&far, &gain, &bias), of(&far, right), 1e-3)
        .of("layer_norm(x + 1000, gain, bias), which should be layer_norm(x, gain, bias),")
        .or_hint(
            affine(by_squares(&far), &gain, &bias),
            "of the mean of the squares less the square of the mean little is left in f32: square the deviations",
        )
        .check();
    let even = x * 0.003; // so even that ε counts
    expected(&even)
        .or_hint(
            of(&even, beside),
            "ε belongs under the root: in this token it counts there, and beside the root it does not",
        )
        .check();
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

/// With σ² as the mean of the squares less the square of the mean.
fn by_squares(x: &Matrix) -> Matrix {
    column_by_column(x, |x| {
        let mean = x.mean();
        let variance = x.norm_squared() / x.len() as f32 - mean * mean;
        x.add_scalar(-mean) / (variance.max(0.0) + 1e-5).sqrt()
    })
}
