//! 9.6: the token before.

use scoring_functions::weights;
use self_attention::positions::{shift, sinusoids};
use shared::{Matrix, product};
use tests::exercises::{Exercise, wrong};
use tests::uneven;

type OneBack = fn(usize, usize) -> (Matrix, Matrix);

pub const EXERCISE: Exercise<OneBack> = Exercise {
    check,
    wrong: &[
        wrong("every token gives most to itself: turn the query, or the key", |c, p| {
            of_positions(c, shift(p, 0), shift(p, 0))
        }),
        wrong("every token gives most to the one after it: the other way round", |c, p| {
            of_positions(c, shift(p, 0) * LARGE, back(p))
        }),
        wrong("scores need a larger factor, for others are near, too", |c, p| {
            of_positions(c, back(p), shift(p, 0))
        }),
        wrong("scores may be large, but not as large as f32 ends", |c, p| {
            of_positions(c, back(p) * 1e20, shift(p, 0) * 1e20)
        }),
        wrong("the fastest pair repeats after 44 positions, nearly to the digit", |c, p| {
            of_positions(c, (back(p).view((0, 0), (2, 2)) * LARGE).resize(p, p, 0.0), shift(p, 0))
        }),
        wrong("without contents it would be right: zeros keep them out", |c, p| {
            let mut w_q = Matrix::identity(c + p, c + p) * LARGE;
            w_q.view_mut((c, c), (p, p)).copy_from(&(back(p) * LARGE));
            (w_q, Matrix::identity(c + p, c + p))
        }),
    ],
};

const LARGE: f32 = 1000.0;

fn back(d: usize) -> Matrix {
    shift(d, -1)
}

/// Zeros for the contents, beside them these matrices.
fn of_positions(contents: usize, w_q: Matrix, w_k: Matrix) -> (Matrix, Matrix) {
    (w_q.insert_columns(0, contents, 0.0), w_k.insert_columns(0, contents, 0.0))
}

fn check(look_one_back: OneBack) {
    for (c, p) in [(3, 8), (1, 10), (60, 8), (3, 128)] {
        let (w_q, w_k) = look_one_back(c, p);
        let [query, key] = [w_q.shape(), w_k.shape()];
        assert!(
            query == key && query.1 == c + p && query.0 > 0,
            "look_one_back({c}, {p}): W_q is {query:?}, W_k {key:?}; both need {} columns, and equally many rows",
            c + p
        );
        for (n, first) in [(7, 0), (60, 0), (60, 80)] {
            let smooth: Matrix = uneven(c, n, f64::from(first));
            let corners = smooth.map(|x| 2.0 * x.signum()); // as large as contents may be
            // All contents agree with each other's, but those of one token, which is sought as well.
            let mut against = Matrix::from_element(c, n, 2.0);
            against.column_mut(n / 2).fill(-2.0);
            for (name, contents) in [("small", smooth), ("large", corners), ("equal", against)] {
                let mut x = contents.resize_vertically(c + p, 0.0);
                x.rows_mut(c, p).copy_from(&sinusoids(p, first as usize, n));
                let alpha = weights(&product(&w_q, &x), &product(&w_k, &x));
                for i in 1..n {
                    let (weight, most) = (alpha[(i - 1, i)], alpha.column(i).imax());
                    assert!(
                        weight >= 0.99,
                        "look_one_back({c}, {p}), {n} tokens with {name} contents from position {first} on: token \
                         {i} gives {weight:.3} to the one before it, and most to token {most}"
                    );
                }
            }
        }
    }
}
