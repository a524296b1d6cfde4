//! 2.2 the slope with another score, also at w = 0 and far from all keys

use super::solutions;
use shared::elementwise::{dot, softmax};
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard, softmax_mean};

type Slope = fn(f32, &[f32], &[f32], f32) -> f32;

pub const EXERCISE: Exercise<Slope> = Exercise {
    check,
    wrong: &[
        wrong("the sign: a score falls as w grows", |x, k, y, w| -solutions::slope(x, k, y, w)),
        wrong("this is the page's slope: the score here is −w·|x − xᵢ|", |x, k, y, w| {
            parametric_attention::predict_with_slope(x, k, y, w, None).1
        }),
        wrong("∂eᵢ/∂w = −|x − xᵢ|, never positive", |x, k, y, w| {
            mean(x, k, w, |i, alpha| -(y[i] - dot(alpha, y)) * (x - k[i]))
        }),
        wrong(
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            |x, k, y, w| mean(x, k, w, |i, alpha| -y[i] * (1.0 - alpha[i]) * (x - k[i]).abs()),
        ),
        wrong(
            "far away, e to the power of any score is 0: subtract the largest before",
            |x, k, y, w| {
                let sum: f32 = k.iter().map(|key| (-w * (x - key).abs()).exp()).sum();
                if sum > 0.0 { solutions::slope(x, k, y, w) } else { f32::NAN } // 0/0
            },
        ),
        wrong("derive it by a formula: in another unit, w may be a millionth", |x, k, y, w| {
            let f = |step| prediction(x.into(), k, y, f64::from(w) + step);
            ((f(1e-3) - f(-1e-3)) / 2e-3) as f32
        }),
    ],
};

fn check(slope: Slope) {
    let hours = [-2.0, -0.5, 0.0, 3.0]; // from ten o'clock
    let degrees = [14.0, 18.0, 17.0, 20.0];
    let high = degrees.map(|y| y + 4000.0); // what is added to all values leaves the slope as it was
    for (query, values, w, unit) in [
        (0.5, degrees, 0.7_f32, 1.0),
        (0.5, degrees, -0.8, 1.0),
        (0.5, degrees, 0.0, 1.0),    // no key is favoured
        (490.0, [1.0; 4], 1.0, 1.0), // far away, the nearest key has all the weight
        (0.5, high, 0.7, 1.0),
        (0.5, degrees, 0.7, 1e6), // in such a unit w counts in millionths
    ] {
        let right = finite_difference(|w| prediction(query, &hours, &values, w[0]), w);
        let (query, keys) = (query as f32 * unit, hours.map(|key| key * unit));
        expect(slope(query, &keys, &values, w / unit) / unit, right, 5e-4)
            .of(format!("slope({query}, keys, values, {}) / {unit}", w / unit))
            .given("keys", keys)
            .given("values", values)
            .check();
    }
    for (hint, keys) in hard::scores::<f32>() {
        let (k, values) = (keys.as_slice(), &degrees[..keys.len()]);
        let right = finite_difference(|w| prediction(0.0, k, values, w[0]), -1.0_f32);
        let what = format!("slope(0, {k:?}, {values:?}, -1)");
        expect(slope(0.0, k, values, -1.0), right, 5e-4).of(what).hint(hint).check();
    }
}

/// f in double precision.
fn prediction(query: f64, keys: &[f32], values: &[f32], w: f64) -> f64 {
    let scores = keys.iter().map(|key| -w * (query - f64::from(*key)).abs());
    softmax_mean(scores.zip(values.iter().map(|y| f64::from(*y))))
}

/// The mean of `of(i, α)` under the weights α.
fn mean(query: f32, keys: &[f32], w: f32, of: impl Fn(usize, &[f32]) -> f32) -> f32 {
    let mut alpha: Vec<f32> = keys.iter().map(|key| -w * (query - key).abs()).collect();
    softmax(&mut alpha);
    (0..keys.len()).map(|i| alpha[i] * of(i, &alpha)).sum()
}
