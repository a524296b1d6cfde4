//! 2.6 spot the bug: a gradient that forgets

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

pub type ScoresBackward = fn(&Matrix, &Matrix, &Matrix) -> (Matrix, Matrix);

pub const EXERCISE: Exercise<ScoresBackward> = Exercise {
    check,
    wrong: &[
        bug("only the last key is left: a query receives a share from every key", forgetful),
        wrong(
            "only the last query is left: a key receives a share from every query",
            |q, k, de| (solutions::scores_backward(q, k, de).0, forgetful(q, k, de).1),
        ),
        wrong("a query moves towards a key that scores higher", |q, k, de| {
            solutions::scores_backward(q, k, &-de)
        }),
    ],
};

fn check(scores_backward: ScoresBackward) {
    for (n, m) in [(1, 1), (2, 3)] {
        let (queries, keys, de) = (uneven(2, n, 0.5), uneven(2, m, 1.5), uneven(m, n, 2.5));
        let (dq, dk) = scores_backward(&queries, &keys, &de);
        let (right_q, right_k) = solutions::scores_backward(&queries, &keys, &de);
        for (name, found, right) in [("dq", dq, right_q), ("dk", dk, right_k)] {
            expect(found, right, 1e-5)
                .of(format!("{name} of scores_backward(queries, keys, de)"))
                .given("queries", &queries)
                .given("keys", &keys)
                .given("de", &de)
                .check();
        }
    }
}

/// The function as it was given.
fn forgetful(queries: &Matrix, keys: &Matrix, de: &Matrix) -> (Matrix, Matrix) {
    let last = |j, i| (keys.column(i) - queries.column(j)) * de[(i, j)];
    let (n, m) = (queries.ncols(), keys.ncols());
    let dq: Vec<_> = (0..n).map(|j| last(j, m - 1)).collect();
    let dk: Vec<_> = (0..m).map(|i| -last(n - 1, i)).collect();
    (Matrix::from_columns(&dq), Matrix::from_columns(&dk))
}
