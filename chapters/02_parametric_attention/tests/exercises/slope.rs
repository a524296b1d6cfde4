//! 2.2 the slope with another score, also at w = 0 and far from all keys

use nalgebra::DMatrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Slope = fn(f32, &[f32], &[f32], f32) -> f32;

pub fn exercise() -> Exercise<Slope> {
    Exercise {
        number: 2,
        title: "the slope with another score",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong { name: "wrong sign", hint: "the sign", answer: |x, k, v, w| -right(x, k, v, w) },
            Wrong {
                name: "the slope of the page",
                hint: "another score",
                answer: |x, k, v, w| parametric_attention::predict_with_slope(x, k, v, w, None).1,
            },
            Wrong {
                name: "a factor w too many",
                hint: "linear in w",
                answer: |x, k, v, w| w * right(x, k, v, w),
            },
            Wrong {
                name: "distances squared",
                hint: "∂sᵢ/∂w = −|x − xᵢ|",
                answer: |x, k, v, w| {
                    mean(x, k, w, |i, _, f| -(v[i] - f(v)) * (x - k[i]) * (x - k[i]))
                },
            },
            Wrong {
                name: "distances with their signs",
                hint: "∂sᵢ/∂w = −|x − xᵢ|",
                answer: |x, k, v, w| mean(x, k, w, |i, _, f| -(v[i] - f(v)) * (x - k[i])),
            },
            Wrong {
                name: "only the diagonal of the softmax",
                hint: "every weight depends on every score",
                answer: diagonal,
            },
            Wrong {
                name: "a product in place of a covariance",
                hint: "subtract",
                answer: uncentred,
            },
            Wrong {
                name: "a softmax without its maximum",
                hint: "slope(500, keys, values, 1)",
                answer: |x, k, v, w| match x > 100.0 {
                    true => f32::NAN, // 0/0
                    false => right(x, k, v, w),
                },
            },
            Wrong {
                name: "differences over a thousandth",
                hint: "",
                answer: |x, k, v, w| {
                    let f = |w| mean(x, k, w, |i, _, _| v[i]);
                    (f(w + 1e-3) - f(w - 1e-3)) / 2e-3
                },
            },
            Wrong {
                name: "differences over a hundredth of w",
                hint: "",
                answer: |x, k, v, w| {
                    let (f, step) = (|w| mean(x, k, w, |i, _, _| v[i]), 0.01 * (w.abs() + 0.1));
                    (f(w + step) - f(w - step)) / (2.0 * step)
                },
            },
            Wrong {
                name: "differences in double precision over a fixed step",
                hint: "by a formula",
                answer: |x, k, v, w| {
                    let f = |w| prediction(x.into(), k, v, w);
                    ((f(f64::from(w) + 1e-3) - f(f64::from(w) - 1e-3)) / 2e-3) as f32
                },
            },
        ],
    }
}

const HOURS: [f32; 4] = [8.0, 9.5, 10.0, 13.0];
const DEGREES: [f32; 4] = [14.0, 18.0, 17.0, 20.0];

fn check(slope: Slope) {
    for (query, w) in [(10.5, 0.7_f32), (9.0, 1.7)] {
        let f = |w: &DMatrix<f64>| prediction(query, &HOURS, &DEGREES, w[0]);
        let gradient = finite_difference(f, w);
        let (q, number) = (query as f32, gradient[0] as f32);
        let squared = |i: usize, f: f32| -(DEGREES[i] - f) * (q - HOURS[i]) * (q - HOURS[i]);
        let signed = |i: usize, f: f32| -(DEGREES[i] - f) * (q - HOURS[i]);
        expect([slope(q, &HOURS, &DEGREES, w)], gradient, 1e-4)
            .of(format!("slope({q}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .or_hint([-number], "the sign: a score falls as w grows")
            .or_hint(
                [parametric_attention::predict_with_slope(q, &HOURS, &DEGREES, w, None).1],
                "this is the slope on the page: here is another score, −w·|x − xᵢ|",
            )
            .or_hint([w * number], "the score is linear in w: its derivative has no factor w")
            .or_hint(
                [mean(q, &HOURS, w, |i, _, f| squared(i, f(&DEGREES)))],
                "∂sᵢ/∂w = −|x − xᵢ|, without a square",
            )
            .or_hint(
                [mean(q, &HOURS, w, |i, _, f| signed(i, f(&DEGREES)))],
                "∂sᵢ/∂w = −|x − xᵢ|, never positive",
            )
            .or_hint(
                [diagonal(q, &HOURS, &DEGREES, w)],
                "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            )
            .or_hint(
                [uncentred(q, &HOURS, &DEGREES, w)],
                "subtract f from the values: when one weight grows, the others shrink",
            )
            .check();
    }
    // A width below zero, and none at all, where no key is favoured.
    for (query, w) in [(10.5, -0.8_f32), (10.5, 0.0)] {
        let f = |w: &DMatrix<f64>| prediction(query, &HOURS, &DEGREES, w[0]);
        expect([slope(query as f32, &HOURS, &DEGREES, w)], finite_difference(f, w), 1e-4)
            .of(format!("slope({query}, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", DEGREES)
            .check();
    }
    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    expect([slope(500.0, &HOURS, &[1.0; 4], 1.0)], [0.0], 1e-4)
        .of("slope(500, keys, values, 1)")
        .given("keys", HOURS)
        .given("values", [1.0; 4])
        .check();
    // What is added to all values leaves the slope as it was.
    let high = DEGREES.map(|y| y + 4000.0);
    for w in [0.4_f32, 0.7, 1.7] {
        let f = |w: &DMatrix<f64>| prediction(10.5, &HOURS, &DEGREES, w[0]);
        expect([slope(10.5, &HOURS, &high, w)], finite_difference(f, w), 5e-4)
            .of(format!("slope(10.5, keys, values, {w})"))
            .given("keys", HOURS)
            .given("values", high)
            .check();
    }
    // In other units: hours from ten o'clock in units of a million, so that w counts in millionths.
    let (near, w) = (HOURS.map(|hour| (hour - 10.0) * 1e6), 0.7e-6);
    let found = slope(0.5e6, &near, &DEGREES, w) * 1e-6;
    let shifted = HOURS.map(|hour| hour - 10.0);
    let expected =
        mean(0.5, &shifted, 0.7, |i, _, f| -(DEGREES[i] - f(&DEGREES)) * (0.5 - shifted[i]).abs());
    assert!(
        (found - expected).abs() < 1e-3,
        "with keys and query a million times larger and w a million times smaller, the slope must be \
         a million times larger, {:e}, but it is {:e}: derive it by a formula",
        expected * 1e6,
        found * 1e6
    );
}

/// f in double precision.
fn prediction(query: f64, keys: &[f32], values: &[f32], w: f64) -> f64 {
    let distance = |key: &f32| (query - f64::from(*key)).abs();
    let weight = |key: &f32| (-w * distance(key)).exp();
    let sum: f64 = keys.iter().map(weight).sum();
    keys.iter().zip(values).map(|(key, y)| weight(key) * f64::from(*y)).sum::<f64>() / sum
}

/// The mean under the weights of `of(i, α, f)`, where f(v) is the mean of v.
fn mean(
    query: f32,
    keys: &[f32],
    w: f32,
    of: impl Fn(usize, &[f32], &dyn Fn(&[f32]) -> f32) -> f32,
) -> f32 {
    let mut alpha: Vec<f32> = keys.iter().map(|key| -w * (query - key).abs()).collect();
    shared::elementwise::softmax(&mut alpha);
    let f = |v: &[f32]| shared::elementwise::dot(&alpha, v);
    (0..keys.len()).map(|i| alpha[i] * of(i, &alpha, &f)).sum()
}

fn right(x: f32, k: &[f32], v: &[f32], w: f32) -> f32 {
    mean(x, k, w, |i, _, f| -(v[i] - f(v)) * (x - k[i]).abs())
}

fn diagonal(x: f32, k: &[f32], v: &[f32], w: f32) -> f32 {
    mean(x, k, w, |i, alpha, _| -v[i] * (1.0 - alpha[i]) * (x - k[i]).abs())
}

fn uncentred(x: f32, k: &[f32], v: &[f32], w: f32) -> f32 {
    mean(x, k, w, |i, _, _| -v[i] * (x - k[i]).abs())
}
