//! 3.3 additive scores

use super::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven, uneven_vector};

type Additive = fn(&Matrix, &Matrix, &Matrix, &Matrix, &Vector) -> Matrix;

pub const EXERCISE: Exercise<Additive> = Exercise {
    check,
    wrong: &[
        wrong("a row for each key, a column for each query", |q, k, w_q, w_k, v| {
            solutions::additive(q, k, w_q, w_k, v).transpose()
        }),
        wrong("tanh is of the sum, not of its parts", |q, k, w_q, w_k, v| {
            pairs(q, k, w_q, w_k, |q, k| v.dot(&(q.map(f32::tanh) + k.map(f32::tanh))))
        }),
        wrong("a query would add the same to all its keys", |q, k, w_q, w_k, v| {
            pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k)))
        }),
        wrong("tanh comes before v, not after it", |q, k, w_q, w_k, v| {
            pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k)).tanh())
        }),
        wrong(
            "a quotient of exponentials is ∞/∞ when hidden units are large: there is `f32::tanh`",
            |q, k, w_q, w_k, v| {
                let tanh = |x: f32| (x.exp() - (-x).exp()) / (x.exp() + (-x).exp());
                pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k).map(tanh)))
            },
        ),
    ],
};

fn check(additive: Additive) {
    let (w_q, w_k, v) = (uneven(5, 2, 2.0) / 3.0, uneven(5, 4, 3.0) / 3.0, uneven_vector(5, 4.0));
    for length in [1.0, 200.0] {
        let (queries, keys) = (uneven(2, 3, 0.0) * length, uneven(4, 2, 1.0) * length);
        let found = additive(&queries, &keys, &w_q, &w_k, &v);
        expect(found, solutions::additive(&queries, &keys, &w_q, &w_k, &v), 1e-4)
            .of("additive(queries, keys, w_q, w_k, v)")
            .given("queries", &queries)
            .given("keys", &keys)
            .given("w_q", &w_q)
            .given("w_k", &w_k)
            .given("v", &v)
            .check();
    }
}

fn pairs(
    queries: &Matrix,
    keys: &Matrix,
    w_q: &Matrix,
    w_k: &Matrix,
    score: impl Fn(Vector, Vector) -> f32,
) -> Matrix {
    Matrix::from_fn(keys.ncols(), queries.ncols(), |i, j| {
        score(w_q * queries.column(j), w_k * keys.column(i))
    })
}
