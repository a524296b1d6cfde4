//! 17.1: the weights of a local line.

use super::solutions;
use tests::exercises::{Exercise, wrong};

pub type LineWeights = fn(f32, &[f32], &[f32]) -> Vec<f32>;

pub const EXERCISE: Exercise<LineWeights> = Exercise {
    check,
    wrong: &[
        wrong("that is the local constant: its slope is 0", |_, _, alpha| alpha.to_vec()),
        wrong("the mean of the keys counts each by its weight", |q, keys, alpha| {
            around(keys.iter().sum::<f32>() / keys.len() as f32, q, keys, alpha)
        }),
        wrong(
            "at a query to the right of the mean, keys on the right count more",
            |q, keys, alpha| {
                let right = solutions::line_weights(q, keys, alpha);
                right.iter().zip(alpha).map(|(w, a)| 2.0 * a - w).collect()
            },
        ),
        wrong("divide by the variance, not by its root", |q, keys, alpha| {
            let mean: f32 = keys.iter().zip(alpha).map(|(k, a)| a * k).sum();
            let variance: f32 = keys.iter().zip(alpha).map(|(k, a)| a * (k - mean).powi(2)).sum();
            let slope = (q - mean) / variance.sqrt().max(1e-9);
            keys.iter().zip(alpha).map(|(k, a)| a * (1.0 + slope * (k - mean))).collect()
        }),
        wrong("without a variance there is no slope: 0/0", |q, keys, alpha| {
            let mean: f32 = keys.iter().zip(alpha).map(|(k, a)| a * k).sum();
            let variance: f32 = keys.iter().zip(alpha).map(|(k, a)| a * (k - mean).powi(2)).sum();
            let slope = (q - mean) / variance;
            keys.iter().zip(alpha).map(|(k, a)| a * (1.0 + slope * (k - mean))).collect()
        }),
    ],
};

fn around(origin: f32, q: f32, keys: &[f32], alpha: &[f32]) -> Vec<f32> {
    let variance: f32 = keys.iter().zip(alpha).map(|(k, a)| a * (k - origin).powi(2)).sum();
    let slope = if variance > 0.0 { (q - origin) / variance } else { 0.0 };
    keys.iter().zip(alpha).map(|(k, a)| a * (1.0 + slope * (k - origin))).collect()
}

/// The weights sum to 1 and reach the query, `Σ wᵢkᵢ = q`, so that no line is missed; and `wᵢ/αᵢ` is linear in the key.
fn check(line_weights: LineWeights) {
    let alone = line_weights(3.0, &[1.0, 2.0], &[0.0, 1.0]);
    assert!(alone == [0.0, 1.0], "line_weights(3, [1, 2], [0, 1]) is {alone:?}, not [0, 1]");
    let cases: [(f32, &[f32], &[f32]); 3] = [
        (0.0, &[1.0, 2.0], &[0.75, 0.25]),
        (2.5, &[0.0, 1.0, 4.0], &[0.25, 0.5, 0.25]),
        (5.0, &[0.5, 2.0, 3.0, 4.5], &[0.1, 0.2, 0.3, 0.4]),
    ];
    for (q, keys, alpha) in cases {
        let w = line_weights(q, keys, alpha);
        let case = format!("line_weights({q}, {keys:?}, {alpha:?}) is {w:?}");
        assert!(w.len() == keys.len(), "{case}: one weight a key");
        let sum: f32 = w.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4, "{case}: they sum to {sum}, not to 1");
        let reached: f32 = w.iter().zip(keys).map(|(w, k)| w * k).sum();
        assert!(
            (reached - q).abs() < 1e-3,
            "{case}: the line y = x has the value {q} there, not {reached}"
        );
        let ratio = |i: usize| w[i] / alpha[i];
        for i in 2..w.len() {
            let line = ratio(0) + (ratio(1) - ratio(0)) * (keys[i] - keys[0]) / (keys[1] - keys[0]);
            assert!((ratio(i) - line).abs() < 1e-3, "{case}: wᵢ/αᵢ is no line in kᵢ");
        }
    }
}
