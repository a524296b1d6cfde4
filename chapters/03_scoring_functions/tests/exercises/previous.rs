//! 3.10 queries and keys by which each token attends to the one before it

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, unhinted};

type Previous = fn(usize) -> (Matrix, Matrix);

pub const EXERCISE: Exercise<Previous> = Exercise {
    check,
    wrong: &[
        unhinted("scores of 1", |n| (shifted(n, 1.0), Matrix::identity(n, n))),
        unhinted("√d forgotten", |n| (shifted(n, 9.0), Matrix::identity(n, n))),
        unhinted("the token after", |n| (shifted(n, 1000.0).transpose(), Matrix::identity(n, n))),
        unhinted("each to itself", |n| (Matrix::identity(n, n) * 1000.0, Matrix::identity(n, n))),
        unhinted("numbers that overflow", |n| (shifted(n, 1e30), Matrix::identity(n, n) * 1e30)),
    ],
};

/// Column j is c times the unit vector of j − 1, column 0 is zero.
fn shifted(n: usize, c: f32) -> Matrix {
    Matrix::from_fn(n, n, |i, j| if i + 1 == j { c } else { 0.0 })
}

fn check(previous: Previous) {
    for n in [1, 2, 5, 40, 300] {
        let (queries, keys) = previous(n);
        assert!(
            queries.ncols() == n && keys.ncols() == n && queries.nrows() == keys.nrows(),
            "for n = {n} the queries are {:?} and the keys {:?}\nhint: a column is a token, and \
             a dot product takes two vectors of one length",
            queries.shape(),
            keys.shape(),
        );
        let scores = solutions::scaled_dot(&queries, &keys);
        assert!(
            scores.iter().all(|s| s.is_finite()),
            "for n = {n} there are scores that are not finite\nhint: how large must they be?"
        );
        let weights = solutions::masked_softmax(&scores, &(1..=n).collect::<Vec<_>>());
        for j in 0..n {
            let i = j.saturating_sub(1);
            let largest = weights.column(j).imax();
            assert!(
                largest == i,
                "n = {n}: token {j} attends to token {largest}, not to token {i}\nhint: which key has \
                 the largest product with query {j}?"
            );
            let weight = weights[(i, j)];
            assert!(
                weight > 0.99,
                "n = {n}: token {j} gives token {i} a weight of {weight}\nhint: are the scores large \
                 enough, after the division by √d, for n − 1 competitors?"
            );
        }
    }
}
