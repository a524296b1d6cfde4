//! 16.6: an induction head in one block.

use shared::{Matrix, elementwise};
use tests::exercises::{Exercise, wrong};

type InductionHead = fn(usize) -> [Matrix; 2];

pub const EXERCISE: Exercise<InductionHead> = Exercise {
    check,
    wrong: &[
        wrong("that looks at the token itself, not at the one after it", |v| made(v, 0, 8.0)),
        wrong("differences of 1 leave too much to the others", |v| made(v, v, 1.0)),
        wrong("that looks away: the largest score has the most weight", |v| made(v, v, -8.0)),
        wrong("all tokens before look alike to it: the score must ask which", |v| {
            let [w_q, mut w_k] = made(v, v, 0.0);
            w_k.columns_mut(v, v).fill(8.0);
            [w_q, w_k]
        }),
        wrong("keys of both tokens: half of the weight stays at the token itself", |v| {
            let [w_q, mut w_k] = made(v, v, 8.0);
            w_k += &made(v, 0, 8.0)[1];
            [w_q, w_k]
        }),
    ],
};

fn made(v: usize, first: usize, large: f32) -> [Matrix; 2] {
    let w_k = Matrix::from_fn(v, 2 * v, |i, j| if j == first + i { large } else { 0.0 });
    [Matrix::identity(v, v), w_k]
}

fn check(induction_head: InductionHead) {
    for v in [5, 10] {
        let [w_q, w_k] = induction_head(v);
        assert!(
            w_q.ncols() == v && w_k.ncols() == 2 * v && w_q.nrows() == w_k.nrows(),
            "W_q {:?} and W_k {:?}: {v} and {} columns are needed, and equally many rows",
            w_q.shape(),
            w_k.shape(),
            2 * v
        );
        let text: Vec<usize> = (0..2 * v).map(|i| i % v * 3 % v).collect(); // every token twice, in one order
        let mut x = Matrix::zeros(v, text.len());
        text.iter().enumerate().for_each(|(i, token)| x[(*token, i)] = 1.0);
        let keys = Matrix::from_fn(2 * v, text.len(), |row, j| match (row < v, j) {
            (true, _) => x[(row, j)],
            (false, 0) => 0.0,
            (false, _) => x[(row - v, j - 1)],
        });
        for i in v..2 * v {
            let seen = keys.columns(0, i + 1);
            let mut alpha = (&w_k * seen).transpose() * (&w_q * x.column(i));
            elementwise::softmax(alpha.as_mut_slice());
            let (after, most) = (i + 1 - v, alpha.imax());
            assert!(
                alpha[after] >= 0.9,
                "{v} tokens: token {} at position {i} occurred at {} and should look at {after}; there it has {:.2} of \
                 the weight, most is at {most} ({:.2})",
                text[i],
                i - v,
                alpha[after],
                alpha[most]
            );
        }
    }
}
