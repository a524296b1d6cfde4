//! 7.2: general scores, all at once.

use super::solutions;
use shared::{Float, Matrix, elementwise};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type GeneralScores = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<GeneralScores> = Exercise {
    check,
    wrong: &[
        wrong("these are the transposed scores: a column is a query", |q, w, k| {
            q.transpose() * (w * k)
        }),
        wrong("these are weights: scores are asked for", |q, w, k| {
            let mut scores = solutions::general_scores(q, w, k);
            elementwise::softmax_columns(&mut scores);
            scores
        }),
        wrong("this is chapter 3's scaled score", |q, w, k| {
            solutions::general_scores(q, w, k) / (q.nrows() as Float).sqrt()
        }),
    ],
};

fn check(general_scores: GeneralScores) {
    for [d, n, k, m] in [[3, 2, 4, 5], [3; 4]] {
        let (queries, w, keys) = (uneven(d, n, 0.2), uneven(d, k, 1.1), uneven(k, m, 2.5));
        let score = |j, i| (queries.column(i).transpose() * &w * keys.column(j))[0]; // s_iᵀ W h_j, one pair
        expect(general_scores(&queries, &w, &keys), Matrix::from_fn(m, n, score), 1e-5)
            .of("general_scores(queries, w, keys)")
            .given("queries", &queries)
            .given("w", &w)
            .given("keys", &keys)
            .check();
    }
}
