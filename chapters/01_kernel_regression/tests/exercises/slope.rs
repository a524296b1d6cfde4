//! 1.8 the slope of the curve

use kernel_regression::{Float, Kernel, Matrix, nadaraya_watson};
use nalgebra::DMatrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

use super::support::weights;

type Slope = fn(Float, &[Float], &[Float], Float) -> Float;

pub fn exercise() -> Exercise<Slope> {
    Exercise {
        number: 8,
        title: "the slope of the curve",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "the other sign",
                hint: "sign",
                answer: |x, k, v, h| -covariance(x, k, v, h) / (h * h),
            },
            Wrong { name: "not divided by h²", hint: "chain rule", answer: covariance },
            Wrong {
                name: "divided by h",
                hint: "h²",
                answer: |x, k, v, h| covariance(x, k, v, h) / h,
            },
            Wrong {
                name: "a softmax without its maximum",
                hint: "slope(60, keys, values, 0.7)",
                answer: |x, k, v, h| match x > 20.0 {
                    true => Float::NAN, // 0/0
                    false => covariance(x, k, v, h) / (h * h),
                },
            },
            Wrong {
                name: "only the numerator differentiated",
                hint: "every weight depends on every score",
                answer: without_denominator,
            },
            Wrong {
                name: "differences over a step that single precision cannot resolve",
                hint: "",
                answer: |x, k, v, h| difference_quotient(x, k, v, h, 1e-6),
            },
            Wrong {
                name: "differences in double precision over a fixed step",
                hint: "by a formula",
                answer: |x, k, v, h| {
                    let curve = |x| curve(x, k, v, f64::from(h));
                    let x = f64::from(x);
                    ((curve(x + 1e-5) - curve(x - 1e-5)) / 2e-5) as Float
                },
            },
        ],
    }
}

fn check(slope: Slope) {
    let (keys, values) = ([0.0, 0.5, 2.0, 3.5], [1.0, 4.0, -2.0, 3.0]);
    let h = 0.7;
    // The curve in f64, so that the differences are exact to nine digits.
    let at = |x: &DMatrix<f64>| curve(x[0], &keys, &values, f64::from(h));
    for x in [0.3, 1.2, 2.6] {
        let expected = finite_difference(at, Matrix::from_element(1, 1, x));
        let covariance = covariance(x, &keys, &values, h);
        expect(slope(x, &keys, &values, h), expected[0], 1e-4)
            .of(format!("slope({x}, keys, values, {h})"))
            .given("keys", keys)
            .given("values", values)
            .or_hint(
                -covariance / (h * h),
                "the sign: dsᵢ/dx = (xᵢ − x)/h² is positive for keys to the right",
            )
            .or_hint(
                covariance,
                "the score's derivative is missing a factor: the chain rule through u = (x − xᵢ)/h",
            )
            .or_hint(covariance / h, "divide by h²: the score is −(x − xᵢ)²/2h²")
            .or_hint(
                without_denominator(x, &keys, &values, h),
                "the denominator depends on x, too: every weight depends on every score",
            )
            .check();
    }

    // What is added to all values leaves the slope as it was.
    let high = values.map(|y| y + 4000.0);
    for x in [0.3, 1.2, 2.6] {
        let expected = finite_difference(at, Matrix::from_element(1, 1, x));
        expect(slope(x, &keys, &high, h), expected[0], 3e-4)
            .of(format!("slope({x}, keys, values, {h})"))
            .given("keys", keys)
            .given("values", high)
            .check();
    }
    // In other units: a curve that bends within a millionth.
    let expected = finite_difference(at, Matrix::from_element(1, 1, 1.2));
    let (near, narrow) = (keys.map(|key| key * 1e-6), h * 1e-6);
    let found = slope(1.2e-6, &near, &values, narrow) * 1e-6;
    assert!(
        (found - expected[0] as Float).abs() <= 1e-3 * (1.0 + expected[0].abs() as Float),
        "with keys, query and bandwidth a million times smaller, the slope must be a million times \
         larger, {:e}, but it is {:e}: derive it by a formula, differences see nothing there",
        expected[0] * 1e6,
        found * 1e6
    );
    // Far away, the nearest key has all the weight: the exponential of any score would be 0.
    expect(slope(60.0, &keys, &values, h), 0.0, 1e-4)
        .of("slope(60, keys, values, 0.7)")
        .given("keys", keys)
        .given("values", values)
        .check();
}

/// The curve, in double precision.
fn curve(x: f64, keys: &[Float], values: &[Float], h: f64) -> f64 {
    let weight = |key: &Float| (-((x - f64::from(*key)) / h).powi(2) / 2.0).exp();
    let sum: f64 = keys.iter().map(weight).sum();
    keys.iter().zip(values).map(|(key, y)| weight(key) * f64::from(*y)).sum::<f64>() / sum
}

/// Σ αᵢ (yᵢ − ŷ)(xᵢ − x): h² times the slope.
fn covariance(x: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
    let weights = weights(&[x], keys, h);
    let mean = nadaraya_watson(&[x], keys, values, Kernel::Gaussian, h)[0];
    weights.iter().zip(keys).zip(values).map(|((a, key), y)| a * (y - mean) * (key - x)).sum()
}

fn without_denominator(x: Float, keys: &[Float], values: &[Float], h: Float) -> Float {
    let weights = weights(&[x], keys, h);
    let terms = weights.iter().zip(keys).zip(values).map(|((a, key), y)| a * y * (key - x));
    terms.sum::<Float>() / (h * h)
}

fn difference_quotient(x: Float, keys: &[Float], values: &[Float], h: Float, step: Float) -> Float {
    let curve = |x: Float| nadaraya_watson(&[x], keys, values, Kernel::Gaussian, h)[0];
    (curve(x + step) - curve(x - step)) / (2.0 * step)
}
