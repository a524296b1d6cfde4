//! 2.2 the slope of a prediction, also at w = 0 and far from all keys

use nalgebra::DMatrix;
use parametric_attention::predict_with_slope;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Slope = fn(f32, &[f32], &[f32], f32) -> f32;

pub fn exercise() -> Exercise<Slope> {
    Exercise {
        number: 2,
        title: "the slope of a prediction",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "wrong sign",
                hint: "the sign",
                answer: |x, k, v, w| -right_slope(x, k, v, w),
            },
            Wrong {
                name: "w forgotten",
                hint: "the factor w",
                answer: |x, k, v, w| right_slope(x, k, v, w) / w,
            },
            Wrong {
                name: "only the diagonal of the softmax",
                hint: "every weight depends on every score",
                answer: diagonal_slope,
            },
            Wrong {
                name: "a product in place of a covariance",
                hint: "subtract",
                answer: uncentred_slope,
            },
            Wrong {
                name: "a softmax without its maximum",
                hint: "slope(500, keys, values, 1)",
                answer: overflowing_slope,
            },
            Wrong {
                name: "divided by w",
                hint: "slope(10.5, keys, values, 0)",
                answer: |x, k, v, w| right_slope(x, k, v, w) * w / w,
            },
            Wrong {
                name: "the sign of w lost",
                hint: "slope(10.5, keys, values, -1.5)",
                answer: |x, k, v, w| right_slope(x, k, v, w.abs()),
            },
        ],
    }
}

const HOURS: [f32; 4] = [8.0, 9.5, 10.0, 13.0];
const DEGREES: [f32; 4] = [14.0, 18.0, 17.0, 20.0];

fn check(slope: Slope) {
    // The same formula in f64.
    let f = |query: f64, w: f64| {
        let weight = |hour: &f32| (-0.5 * ((query - f64::from(*hour)) * w).powi(2)).exp();
        let sum: f64 = HOURS.iter().map(weight).sum();
        HOURS.iter().zip(DEGREES).map(|(hour, y)| weight(hour) * f64::from(y)).sum::<f64>() / sum
    };
    for (query, w) in [(10.5, 0.5), (9.0, 1.5)] {
        let f = |w: &DMatrix<f64>| f(query, w[0]);
        let q = query as f32;
        let right = finite_difference(f, w);
        let right_scalar = right[0] as f32;
        expect([slope(q, &HOURS, &DEGREES, w)], right, 1e-4)
            .of(format!("slope({q}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .or_hint([-right_scalar], "the sign: a score falls as w grows")
            .or_hint([right_scalar / w], "the factor w is missing: ∂(w²)/∂w = 2w")
            .or_hint(
                [diagonal_slope(q, &HOURS, &DEGREES, w)],
                "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            )
            .or_hint(
                [uncentred_slope(q, &HOURS, &DEGREES, w)],
                "subtract f from the values: when one weight grows, the others shrink",
            )
            .check();
    }
    // A width below zero, and none at all: w and −w are one model, and at 0 no key is favoured.
    for (query, w) in [(10.5, -1.5_f32), (10.5, 0.0)] {
        let right = finite_difference(|w: &DMatrix<f64>| f(query, w[0]), w);
        expect([slope(query as f32, &HOURS, &DEGREES, w)], right, 1e-4)
            .of(format!("slope({query}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .check();
    }
    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    expect([slope(500.0, &HOURS, &DEGREES, 1.0)], [0.0], 1e-4)
        .of("slope(500, keys, values, 1)")
        .given("keys", HOURS)
        .given("values", DEGREES)
        .check();
}

fn right_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    predict_with_slope(query, keys, values, w, None).1
}

fn overflowing_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    let square = |i: usize| (query - keys[i]) * (query - keys[i]);
    let alpha: Vec<f32> = (0..keys.len()).map(|i| (-0.5 * w * w * square(i)).exp()).collect();
    let sum: f32 = alpha.iter().sum();
    let mean =
        |y: &dyn Fn(usize) -> f32| (0..keys.len()).map(|i| alpha[i] * y(i)).sum::<f32>() / sum;
    let f = mean(&|i| values[i]);
    -w * mean(&|i| (values[i] - f) * square(i))
}

fn diagonal_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    shares(query, keys, w).map(|(i, alpha, ds)| alpha * (1.0 - alpha) * values[i] * ds).sum()
}

fn uncentred_slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    shares(query, keys, w).map(|(i, alpha, ds)| alpha * values[i] * ds).sum()
}

/// (i, αᵢ, ∂sᵢ/∂w)
fn shares(query: f32, keys: &[f32], w: f32) -> impl Iterator<Item = (usize, f32, f32)> {
    let alpha = parametric_attention::weights(query, keys, w, None);
    keys.iter().enumerate().map(move |(i, k)| (i, alpha[i], -w * (query - k) * (query - k)))
}
