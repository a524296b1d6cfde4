//! 1.8 the slope of the curve

use super::solutions;
use super::support::columns_normalised;
use kernel_regression::{Float, Kernel, nadaraya_watson, scores};
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, softmax_mean};

type Slope = fn(Float, &[Float], &[Float], Float) -> Float;

pub const EXERCISE: Exercise<Slope> = Exercise {
    check,
    wrong: &[
        wrong("deᵢ/dx = (xᵢ − x)/h² is positive to the right", |x, k, y, h| {
            -solutions::slope(x, k, y, h)
        }),
        wrong(
            "the score's derivative is missing a factor: the chain rule through u = (x − xᵢ)/h",
            |x, k, y, h| solutions::slope(x, k, y, h) * h * h,
        ),
        wrong("the score is −(x − xᵢ)²/2h²: divide by h²", |x, k, y, h| {
            solutions::slope(x, k, y, h) * h
        }),
        wrong(
            "far away, the exponential of any score is 0: subtract the largest before",
            |x, k, y, h| {
                let weights = scores(&[x], k, Kernel::Gaussian, h).map(Float::exp);
                solutions::slope(x, k, y, h) * columns_normalised(weights).sum()
            },
        ),
        wrong(
            "the denominator depends on x, too: every weight depends on every score",
            |x, k, y, h| {
                let weights = solutions::attention_weights(&[x], k, h);
                let terms = weights.iter().zip(k).zip(y);
                terms.map(|((a, key), y)| a * y * (key - x)).sum::<Float>() / (h * h)
            },
        ),
        wrong(
            "derive it by a formula: two values of a curve so near to each other differ by rounding alone",
            |x, k, y, h| {
                let at = |x: Float| nadaraya_watson(&[x], k, y, Kernel::Gaussian, h)[0];
                (at(x + 1e-6) - at(x - 1e-6)) / 2e-6
            },
        ),
        wrong("derive it by a formula: the curve may bend within any step", |x, k, y, h| {
            let at = |x: f64| curve(x, k, y, h.into());
            ((at(f64::from(x) + 1e-5) - at(f64::from(x) - 1e-5)) / 2e-5) as Float
        }),
    ],
};

fn check(slope: Slope) {
    let (keys, values) = ([0.0, 0.5, 2.0, 3.5], [1.0, 4.0, -2.0, 3.0]);
    let (h, high) = (0.7, values.map(|y| y + 4000.0));
    for (x, values, unit) in [
        (0.3, values, 1.0),
        (1.2, values, 1.0),
        (1.2, high, 1.0), // what is added to all values leaves the slope as it was
        (2.6, high, 1.0),
        (1.2, values, 1e-6), // a curve that bends within a millionth
        (60.0, values, 1.0), // far away, the nearest key has all the weight
    ] {
        let near = keys.map(|key| key * unit);
        let right = finite_difference(|x| curve(x[0], &keys, &values, h.into()), x);
        expect(slope(x * unit, &near, &values, h * unit) * unit, right, 3e-4)
            .of(format!("slope({}, keys, values, {}) · {unit}", x * unit, h * unit))
            .given("keys", near)
            .given("values", values)
            .check();
    }
}

/// The curve in double precision, so that its differences are exact to nine digits.
fn curve(x: f64, keys: &[Float], values: &[Float], h: f64) -> f64 {
    let scores = keys.iter().map(|key| -((x - f64::from(*key)) / h).powi(2) / 2.0);
    softmax_mean(scores.zip(values.iter().map(|y| f64::from(*y))))
}
