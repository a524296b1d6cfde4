//! 3.9 spot the bug: every query the same, since concat was written without its tanh

use super::solutions;
use shared::elementwise::softmax_columns;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard, uneven, uneven_vector};

type ConcatWeights = fn(&Matrix, &Matrix, &Matrix, &Vector) -> Matrix;

const SAME: &str =
    "every query has the same weights: its part of the score is the same for all keys";

pub const EXERCISE: Exercise<ConcatWeights> = Exercise {
    check,
    wrong: &[
        bug(SAME, |q, k, w, v| weights(q, k, |a| (w * a).dot(v))),
        wrong(SAME, |q, k, w, _| weights(q, k, |a| (w * a).sum())),
        wrong(
            "tanh comes before v, for each hidden unit; after v it only flattens a score",
            |q, k, w, v| weights(q, k, |a| (w * a).dot(v).tanh()),
        ),
        wrong("v weighs the hidden units", |q, k, w, _| {
            weights(q, k, |a| (w * a).map(f32::tanh).sum())
        }),
        wrong("tanh is that of W[q; k]", |q, k, w, v| {
            weights(q, k, |a| (w * a.map(f32::tanh)).dot(v))
        }),
        wrong("the query stands above the key: [q; k]", |q, k, w, v| {
            weights(q, k, |a| {
                let (q, k) = a.as_slice().split_at(q.nrows());
                (w * Vector::from_vec([k, q].concat())).map(f32::tanh).dot(v)
            })
        }),
    ],
};

fn check(concat_weights: ConcatWeights) {
    let (queries, keys) = (uneven(2, 3, 0.0), uneven(4, 5, 1.0));
    let (w, v) = (uneven(3, 6, 2.0) / 3.0, uneven_vector(3, 4.0));
    let large = (queries.clone(), keys.clone(), w.clone(), &v * 300.0);
    let hard = hard::scores::<f32>().map(|(_, e)| {
        let v = 2.0 * e.amax();
        let keys = Matrix::from_fn(1, e.len(), |_, i| (e[i] / v).atanh());
        (Matrix::zeros(1, 1), keys, Matrix::from_element(1, 2, 1.0), Vector::from_element(1, v))
    });
    for (queries, keys, w, v) in [(queries, keys, w, v), large].into_iter().chain(hard) {
        let right = solutions::concat_weights(&queries, &keys, &w, &v);
        expect(concat_weights(&queries, &keys, &w, &v), right, 1e-3)
            .of("concat_weights(queries, keys, w, v)")
            .given("queries", &queries)
            .given("keys", &keys)
            .given("w", &w)
            .given("v", &v)
            .check();
    }
}

/// The weights by the score of a query above a key.
fn weights(queries: &Matrix, keys: &Matrix, score: impl Fn(Vector) -> f32) -> Matrix {
    let mut weights = Matrix::from_fn(keys.ncols(), queries.ncols(), |i, j| {
        let (q, k) = (queries.column(j), keys.column(i));
        score(Vector::from_vec([q.as_slice(), k.as_slice()].concat()))
    });
    softmax_columns(&mut weights);
    weights
}
