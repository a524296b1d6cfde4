//! 2.4 the gradient of a metric

use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type MetricGradient = fn(&[f32], &Matrix, &[f32], &Matrix) -> Matrix;

pub fn exercise() -> Exercise<MetricGradient> {
    Exercise {
        number: 4,
        title: "the gradient of a metric",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong { name: "wrong sign", hint: "the sign", answer: |q, k, v, m| -right(q, k, v, m) },
            Wrong {
                name: "the half forgotten",
                hint: "the ½",
                answer: |q, k, v, m| right(q, k, v, m) * 2.0,
            },
            Wrong {
                name: "the gradient in W",
                hint: "M stands between two u",
                answer: |q, k, v, m| m * right(q, k, v, m) * 2.0,
            },
            Wrong {
                name: "a product in place of a covariance",
                hint: "subtract",
                answer: |q, k, v, m| covariance(q, k, m, |i, _| v[i]) * -0.5,
            },
            Wrong {
                name: "only the diagonal of the softmax",
                hint: "every weight depends on every score",
                answer: |q, k, v, m| covariance(q, k, m, |i, alpha| v[i] * (1.0 - alpha[i])) * -0.5,
            },
            Wrong {
                name: "a metric taken for symmetric",
                hint: "",
                answer: |q, k, v, m| {
                    right(
                        q,
                        k,
                        v,
                        &Matrix::from_fn(m.nrows(), m.nrows(), |a, b| m[(a.min(b), a.max(b))]),
                    )
                },
            },
            Wrong {
                name: "no metric in the weights",
                hint: "the weights depend on M",
                answer: |q, k, v, m| right(q, k, v, &Matrix::identity(m.nrows(), m.nrows())),
            },
            Wrong {
                name: "a softmax without its maximum",
                hint: "metric_gradient([400, -300, 0], keys, values, metric)",
                answer: |q, k, v, m| match q[0] > 100.0 {
                    true => m * f32::NAN, // 0/0
                    false => right(q, k, v, m),
                },
            },
        ],
    }
}

fn check(metric_gradient: MetricGradient) {
    let query = [0.2, -0.3, 0.5];
    #[rustfmt::skip]
    let keys = Matrix::from_row_slice(3, 4, &[
        1.0, 0.0, -0.5, 0.4,
        0.5, -1.0, 0.3, 0.9,
        0.0, 1.2, 0.8, -0.6,
    ]);
    let values = [3.0, 1.0, 2.0, -1.0];
    // Not symmetric: all entries count.
    let metric = Matrix::from_row_slice(3, 3, &[1.3, -0.9, 0.2, 0.4, 0.7, 0.0, -0.1, 0.6, 1.1]);
    // The same formula in f64.
    let f = |m: &DMatrix<f64>| {
        let weight = |i: usize| {
            let u = DMatrix::from_fn(3, 1, |d, _| f64::from(query[d]) - f64::from(keys[(d, i)]));
            (-0.5 * (u.transpose() * m * &u)[0]).exp()
        };
        let sum: f64 = (0..4).map(weight).sum();
        (0..4).map(|i| weight(i) * f64::from(values[i])).sum::<f64>() / sum
    };
    let gradient = finite_difference(f, &metric);
    let of =
        |share: &dyn Fn(usize, &[f32]) -> f32| covariance(&query, &keys, &metric, share) * -0.5;
    expect(metric_gradient(&query, &keys, &values, &metric), &gradient, 1e-4)
        .of("metric_gradient(query, keys, values, metric)")
        .given("query", query)
        .given("keys", &keys)
        .given("values", values)
        .given("metric", &metric)
        .or_hint(-&gradient, "the sign: a score falls as M grows")
        .or_hint(
            &gradient * 2.0,
            "twice too much: M stands in the score once, not squared, and the ½ stays",
        )
        .or_hint(
            &metric * right(&query, &keys, &values, &metric) * 2.0,
            "this is a gradient in W: in M, M stands between two u, and uᵀMu is linear in it",
        )
        .or_hint(
            of(&|i, _| values[i]),
            "subtract f from the values: when one weight grows, the others shrink",
        )
        .or_hint(
            of(&|i, alpha| values[i] * (1.0 - alpha[i])),
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
        )
        .or_hint(
            right(&query, &keys, &values, &Matrix::identity(3, 3)),
            "the weights depend on M, too: their scores are −½ uᵀMu",
        )
        .check();

    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    expect(
        metric_gradient(&[400.0, -300.0, 0.0], &keys, &values, &metric),
        metric.map(|_| 0.0),
        1e-4,
    )
    .of("metric_gradient([400, -300, 0], keys, values, metric)")
    .given("keys", &keys)
    .given("values", values)
    .given("metric", &metric)
    .check();
}

fn right(query: &[f32], keys: &Matrix, values: &[f32], metric: &Matrix) -> Matrix {
    let share = |i: usize, alpha: &[f32]| {
        values[i] - alpha.iter().zip(values).map(|(alpha, y)| alpha * y).sum::<f32>()
    };
    covariance(query, keys, metric, share) * -0.5
}

/// Σ αᵢ · share(i, α) · uᵢuᵢᵀ
fn covariance(
    query: &[f32],
    keys: &Matrix,
    metric: &Matrix,
    share: impl Fn(usize, &[f32]) -> f32,
) -> Matrix {
    let query = Vector::from_column_slice(query);
    let u: Vec<Vector> = keys.column_iter().map(|key| &query - key).collect();
    let mut alpha: Vec<f32> = u.iter().map(|u| -0.5 * u.dot(&(metric * u))).collect();
    shared::elementwise::softmax(&mut alpha);
    let terms = (0..u.len()).map(|i| &u[i] * u[i].transpose() * (alpha[i] * share(i, &alpha)));
    terms.fold(Matrix::zeros(query.len(), query.len()), |sum, term| sum + term)
}
