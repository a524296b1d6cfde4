//! 3.9 spot the bug: every query the same, since concat was written without its tanh

use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::{finite, softmax, uneven};

type ConcatWeights = fn(&Matrix, &Matrix, &Matrix, &Vector) -> Matrix;

pub fn exercise() -> Exercise<ConcatWeights> {
    Exercise {
        number: 9,
        title: "spot the bug: every query the same",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "every query has the same weights",
                answer: |q, k, w, v| weights(q, k, |a| (w * a).dot(v)),
            },
            Wrong {
                name: "the rows added up",
                hint: "every query has the same weights",
                answer: |q, k, w, _| weights(q, k, |a| (w * a).sum()),
            },
            Wrong {
                name: "tanh of the score",
                hint: "before v",
                answer: |q, k, w, v| weights(q, k, |a| (w * a).dot(v).tanh()),
            },
            Wrong {
                name: "v forgotten",
                hint: "weighs the hidden units",
                answer: |q, k, w, _| weights(q, k, |a| (w * a).map(f32::tanh).sum()),
            },
            Wrong {
                name: "tanh of what is stacked",
                hint: "",
                answer: |q, k, w, v| weights(q, k, |a| (w * a.map(f32::tanh)).dot(v)),
            },
            Wrong {
                name: "key above query",
                hint: "",
                answer: |q, k, w, v| {
                    let turned = |a: Vector| {
                        let (q, k) = (a.rows(0, q.nrows()), a.rows(q.nrows(), k.nrows()));
                        Vector::from_iterator(a.len(), k.iter().chain(q.iter()).copied())
                    };
                    weights(q, k, |a| (w * turned(a)).map(f32::tanh).dot(v))
                },
            },
        ],
    }
}

fn check(concat_weights: ConcatWeights) {
    let (queries, keys) = (uneven(2, 3, 0.0), uneven(4, 5, 1.0));
    let w = uneven(3, 6, 2.0) / 3.0;
    let v = uneven(3, 1, 4.0).column(0).into_owned();
    // Entry by entry, in f64.
    let score = |i: usize, j: usize| {
        let stacked = |a: usize| if a < 2 { queries[(a, j)] } else { keys[(a - 2, i)] };
        let hidden = |u: usize| {
            (0..6).map(|a| f64::from(w[(u, a)]) * f64::from(stacked(a))).sum::<f64>().tanh()
        };
        (0..3).map(|u| f64::from(v[u]) * hidden(u)).sum::<f64>().exp()
    };
    let mut right = DMatrix::from_fn(5, 3, score);
    for mut column in right.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    expect(concat_weights(&queries, &keys, &w, &v), right, 1e-5)
        .of("concat_weights(queries, keys, w, v)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("w", &w)
        .given("v", &v)
        .or_hint(
            weights(&queries, &keys, |a| (&w * a).dot(&v)),
            "every query has the same weights: its part of the score is the same for all keys",
        )
        .or_hint(
            weights(&queries, &keys, |a| (&w * a).sum()),
            "every query has the same weights: its part of the score is the same for all keys",
        )
        .or_hint(
            weights(&queries, &keys, |a| (&w * a).dot(&v).tanh()),
            "tanh comes before v, for each hidden unit; after v it only flattens a score",
        )
        .or_hint(
            weights(&queries, &keys, |a| (&w * a).map(f32::tanh).sum()),
            "v weighs the hidden units",
        )
        .check();

    // Scores of several hundreds.
    finite(
        &concat_weights(&queries, &keys, &w, &(&v * 300.0)),
        "concat_weights(queries, keys, w, 300·v)",
        &[],
        "subtract the largest score of a column before you exponentiate",
    );
}

fn weights(queries: &Matrix, keys: &Matrix, score: impl Fn(Vector) -> f32) -> Matrix {
    let stacked = |i: usize, j: usize| {
        let (q, k) = (queries.column(j), keys.column(i));
        Vector::from_iterator(q.len() + k.len(), q.iter().chain(k.iter()).copied())
    };
    let scores = Matrix::from_fn(keys.ncols(), queries.ncols(), |i, j| score(stacked(i, j)));
    softmax(&scores)
}
