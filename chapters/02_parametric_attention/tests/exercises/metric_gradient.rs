//! 2.4 the gradient of a metric

use super::solutions;
use shared::elementwise::softmax;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, softmax_mean, uneven};

type MetricGradient = fn(&[f32], &Matrix, &[f32], &Matrix) -> Matrix;

pub const EXERCISE: Exercise<MetricGradient> = Exercise {
    check,
    wrong: &[
        wrong("the sign: a score falls as M grows", |q, k, v, m| {
            -solutions::metric_gradient(q, k, v, m)
        }),
        wrong(
            "this is a gradient in W: in M, M stands between two u, and uᵀMu is linear in it",
            |q, k, v, m| m * solutions::metric_gradient(q, k, v, m) * 2.0,
        ),
        wrong(
            "subtract f from the values: when one weight grows, the others shrink",
            |q, k, v, m| covariance(q, k, m, |i, _| v[i]),
        ),
        wrong(
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            |q, k, v, m| covariance(q, k, m, |i, alpha| v[i] * (1.0 - alpha)),
        ),
        wrong("all entries of M count", |q, k, v, m| {
            let upper = Matrix::from_fn(3, 3, |a, b| m[(a.min(b), a.max(b))]);
            solutions::metric_gradient(q, k, v, &upper)
        }),
        wrong("the scores are −½ uᵀMu", |q, k, v, m| {
            solutions::metric_gradient(q, k, v, &Matrix::identity(m.nrows(), m.nrows()))
        }),
        wrong(
            "far away, e to the power of any score is 0: subtract the largest before",
            |q, k, v, m| {
                let u = differences(q, k);
                let sum: f32 = u.iter().map(|u| (-0.5 * u.dot(&(m * u))).exp()).sum();
                if sum > 0.0 { solutions::metric_gradient(q, k, v, m) } else { m * f32::NAN } // 0/0
            },
        ),
    ],
};

fn check(metric_gradient: MetricGradient) {
    let keys = uneven(3, 4, 1.0) * 0.5;
    let values = [3.0, 1.0, 2.0, -1.0];
    // Not symmetric: all entries count.
    let metric = Matrix::from_row_slice(3, 3, &[1.3, -0.9, 0.2, 0.4, 0.7, 0.0, -0.1, 0.6, 1.1]);
    for query in [[0.2, -0.3, 0.5], [400.0, -300.0, 0.0]] {
        let u: Vec<_> = differences(&query, &keys).iter().map(|u| u.map(f64::from)).collect();
        let right = finite_difference(
            |m| softmax_mean(u.iter().map(|u| -0.5 * u.dot(&(m * u))).zip(values.map(f64::from))),
            &metric,
        );
        expect(metric_gradient(&query, &keys, &values, &metric), right, 1e-4)
            .of(format!("metric_gradient({query:?}, keys, values, metric)"))
            .given("keys", &keys)
            .given("values", values)
            .given("metric", &metric)
            .check();
    }
}

fn differences(query: &[f32], keys: &Matrix) -> Vec<Vector> {
    keys.column_iter().map(|key| Vector::from_column_slice(query) - key).collect()
}

/// −½ Σ αᵢ · share(i, αᵢ) · uᵢuᵢᵀ
fn covariance(q: &[f32], k: &Matrix, m: &Matrix, share: impl Fn(usize, f32) -> f32) -> Matrix {
    let u = differences(q, k);
    let mut alpha: Vec<f32> = u.iter().map(|u| -0.5 * u.dot(&(m * u))).collect();
    softmax(&mut alpha);
    (0..u.len()).map(|i| &u[i] * u[i].transpose() * (-0.5 * alpha[i] * share(i, alpha[i]))).sum()
}
