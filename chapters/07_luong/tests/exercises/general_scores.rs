//! 7.2: general scores, all at once.

use crate::solutions;
use shared::{Float, Matrix};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type GeneralScores = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<GeneralScores> {
    Exercise {
        number: 2,
        title: "general scores, all at once",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "transposed",
                hint: "a column is a query",
                answer: |q, w, k| q.transpose() * (w * k),
            },
            Wrong {
                name: "softmaxed already",
                hint: "",
                answer: |q, w, k| {
                    let mut scores = solutions::general_scores(q, w, k);
                    shared::elementwise::softmax_columns(&mut scores);
                    scores
                },
            },
            Wrong { name: "scaled", hint: "chapter 3's scaled score", answer: scaled },
        ],
    }
}

fn check(general_scores: GeneralScores) {
    let queries = Matrix::from_row_slice(3, 2, &[1.0, 0.5, -1.0, 2.0, 0.0, 1.0]);
    let w = Matrix::from_fn(3, 4, |a, b| 2.0 * (1.3 * a as Float + 2.1 * b as Float).sin());
    let keys = Matrix::from_fn(4, 5, |b, j| 2.0 * (0.7 * b as Float + 1.9 * j as Float).cos());
    let expected = Matrix::from_fn(5, 2, |s, t| {
        (queries.column(t).transpose() * &w * keys.column(s))[0] // s_iᵀ W h_j, one pair
    });
    expect(general_scores(&queries, &w, &keys), expected.clone(), 1e-5)
        .of("general_scores(queries, w, keys)")
        .given("queries", &queries)
        .given("w", &w)
        .given("keys", &keys)
        .or_hint(expected.transpose(), "these are the transposed scores: a column is a query")
        .or_hint(scaled(&queries, &w, &keys), "this is chapter 3's scaled score")
        .check();
}

fn scaled(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    (w * keys).transpose() * queries / (queries.nrows() as Float).sqrt()
}
