//! 3.3 additive scores

use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::{finite, uneven};
use crate::solutions;

type Additive = fn(&Matrix, &Matrix, &Matrix, &Matrix, &Vector) -> Matrix;

pub fn exercise() -> Exercise<Additive> {
    Exercise {
        number: 3,
        title: "additive scores",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "transposed",
                hint: "a row for each key",
                answer: |q, k, w_q, w_k, v| solutions::additive(q, k, w_q, w_k, v).transpose(),
            },
            Wrong { name: "tanh of each part", hint: "tanh of the sum", answer: tanh_of_each_part },
            Wrong { name: "no tanh", hint: "without tanh", answer: without_tanh },
            Wrong {
                name: "tanh of the score",
                hint: "tanh comes before v",
                answer: |q, k, w_q, w_k, v| without_tanh(q, k, w_q, w_k, v).map(f32::tanh),
            },
            Wrong {
                name: "a tanh that overflows",
                hint: "∞/∞",
                answer: |q, k, w_q, w_k, v| {
                    let tanh = |x: f32| (x.exp() - (-x).exp()) / (x.exp() + (-x).exp());
                    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k).map(tanh)))
                },
            },
            Wrong {
                name: "another tanh that overflows",
                hint: "∞/∞",
                answer: |q, k, w_q, w_k, v| {
                    let tanh = |x: f32| ((2.0 * x).exp() - 1.0) / ((2.0 * x).exp() + 1.0);
                    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k).map(tanh)))
                },
            },
        ],
    }
}

fn check(additive: Additive) {
    let (queries, keys) = (uneven(2, 3, 0.0), uneven(4, 2, 1.0));
    let (w_q, w_k) = (uneven(5, 2, 2.0) / 3.0, uneven(5, 4, 3.0) / 3.0);
    let v = uneven(5, 1, 4.0).column(0).into_owned();
    // Entry by entry, in f64.
    let score = |i: usize, j: usize| {
        let hidden = |u: usize| {
            let q: f64 = (0..2).map(|a| f64::from(w_q[(u, a)]) * f64::from(queries[(a, j)])).sum();
            let k: f64 = (0..4).map(|a| f64::from(w_k[(u, a)]) * f64::from(keys[(a, i)])).sum();
            (q + k).tanh()
        };
        (0..5).map(|u| f64::from(v[u]) * hidden(u)).sum::<f64>()
    };
    let scores = DMatrix::from_fn(2, 3, score);
    expect(additive(&queries, &keys, &w_q, &w_k, &v), &scores, 1e-5)
        .of("additive(queries, keys, w_q, w_k, v)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("w_q", &w_q)
        .given("w_k", &w_k)
        .given("v", &v)
        .or_hint(
            scores.transpose(),
            "scores are (m, n): a row for each key, a column for each query",
        )
        .or_hint(
            tanh_of_each_part(&queries, &keys, &w_q, &w_k, &v),
            "tanh of the sum is not the sum of the tanhs",
        )
        .or_hint(
            without_tanh(&queries, &keys, &w_q, &w_k, &v),
            "this is the score without tanh: a query would add the same to all its keys",
        )
        .or_hint(
            without_tanh(&queries, &keys, &w_q, &w_k, &v).map(f32::tanh),
            "tanh comes before v, not after it",
        )
        .check();

    // Hidden units far beyond 1, where tanh is ±1 and its exponentials are infinite.
    let found = additive(&(&queries * 200.0), &(&keys * 200.0), &w_q, &w_k, &v);
    finite(
        &found,
        "additive(200·queries, 200·keys, w_q, w_k, v)",
        &[("queries", &queries), ("keys", &keys)],
        "a quotient of exponentials is ∞/∞ there: there is `f32::tanh`",
    );
    let signs = pairs(&(&queries * 200.0), &(&keys * 200.0), &w_q, &w_k, |q, k| {
        v.dot(&(q + k).map(f32::tanh))
    });
    expect(found, signs, 1e-4).of("additive(200·queries, 200·keys, w_q, w_k, v)").check();
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

fn tanh_of_each_part(q: &Matrix, k: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q.map(f32::tanh) + k.map(f32::tanh))))
}

fn without_tanh(q: &Matrix, k: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    pairs(q, k, w_q, w_k, |q, k| v.dot(&(q + k)))
}
