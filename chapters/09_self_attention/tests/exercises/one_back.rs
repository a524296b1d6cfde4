//! 9.6: the token before.

use super::support::{finite, uneven};
use scoring_functions::weights;
use self_attention::positions::{shift, sinusoids};
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};

type OneBack = fn(usize, usize) -> (Matrix, Matrix);

pub fn exercise() -> Exercise<OneBack> {
    Exercise {
        number: 6,
        title: "the token before",
        kind: Kind::Construct,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "itself",
                hint: "to itself",
                answer: |c, p| of_positions(c, &one(p), &one(p)),
            },
            Wrong {
                name: "the token after",
                hint: "to the one after it",
                answer: |c, p| of_positions(c, &(shift(p, 1) * LARGE), &one(p)),
            },
            Wrong {
                name: "the key turned instead",
                hint: "to the one after it",
                answer: |c, p| of_positions(c, &(one(p) * LARGE), &back(p)),
            },
            Wrong {
                name: "not sharp",
                hint: "larger factor",
                answer: |c, p| of_positions(c, &back(p), &one(p)),
            },
            Wrong {
                name: "too sharp for f32",
                hint: "as large as f32",
                answer: |c, p| of_positions(c, &(back(p) * 1e20), &(one(p) * 1e20)),
            },
            Wrong {
                name: "a little of the contents",
                hint: "contents",
                answer: |c, p| {
                    let mut w_q = Matrix::zeros(p, c + p);
                    w_q.columns_mut(c, p).copy_from(&(back(p) * LARGE));
                    w_q[(0, 0)] = 0.3 * LARGE;
                    (w_q, of_positions(c, &one(p), &one(p)).1)
                },
            },
            Wrong {
                name: "the fastest pair alone",
                hint: "repeats",
                answer: |c, p| {
                    let mut w = Matrix::zeros(p, p);
                    w.view_mut((0, 0), (2, 2))
                        .copy_from(&(shift(p, -1).view((0, 0), (2, 2)) * LARGE));
                    of_positions(c, &w, &one(p))
                },
            },
            Wrong {
                name: "contents count as well",
                hint: "contents",
                answer: |c, p| {
                    let mut w_q = one(c + p) * LARGE;
                    w_q.view_mut((c, c), (p, p)).copy_from(&(back(p) * LARGE));
                    (w_q, one(c + p))
                },
            },
        ],
    }
}

const LARGE: f32 = 1000.0;

fn one(d: usize) -> Matrix {
    Matrix::identity(d, d)
}

fn back(d: usize) -> Matrix {
    shift(d, -1)
}

/// Zeros for the contents, beside them these matrices.
fn of_positions(contents: usize, w_q: &Matrix, w_k: &Matrix) -> (Matrix, Matrix) {
    let beside = |w: &Matrix| w.clone().insert_columns(0, contents, 0.0);
    (beside(w_q), beside(w_k))
}

fn check(look_one_back: OneBack) {
    for (d_content, d_position) in [(3, 8), (5, 16), (1, 10), (60, 8), (3, 128)] {
        let (w_q, w_k) = look_one_back(d_content, d_position);
        let width = d_content + d_position;
        assert!(
            w_q.ncols() == width
                && w_k.ncols() == width
                && w_q.nrows() == w_k.nrows()
                && w_q.nrows() > 0,
            "look_one_back({d_content}, {d_position}): W_q has the shape {:?}, W_k {:?}; both need {width} \
             columns, and equally many rows",
            w_q.shape(),
            w_k.shape()
        );
        for (n, first) in [(7, 0), (60, 0), (60, 80)] {
            let positions = sinusoids(d_position, first, n);
            let place = format!(
                "look_one_back({d_content}, {d_position}), {n} tokens whose first position is {first}"
            );
            let bare = alpha(&w_q, &w_k, &Matrix::zeros(d_content, n), &positions);
            let bare_is_right = fault(&bare).is_none();
            let smooth = uneven(d_content, n, first as f32);
            let corners = smooth.map(|x| 2.0 * x.signum()); // as large as contents may be
            // All contents agree with each other's, but those of one token, which is sought as well.
            let mut against = Matrix::from_element(d_content, n, 2.0);
            against.column_mut(n / 2).fill(-2.0);
            for contents in [smooth, corners, against] {
                let full = alpha(&w_q, &w_k, &contents, &positions);
                let Some(fault) = fault(&full) else { continue };
                let hint = if bare_is_right {
                    "without contents it would be right: zeros keep contents out of queries and keys"
                } else {
                    hint_for(&w_q, &full)
                };
                panic!("{place}: {fault}\nhint: {hint}");
            }
        }
    }
}

fn alpha(w_q: &Matrix, w_k: &Matrix, contents: &Matrix, positions: &Matrix) -> Matrix {
    let mut x = Matrix::zeros(contents.nrows() + positions.nrows(), positions.ncols());
    x.rows_mut(0, contents.nrows()).copy_from(contents);
    x.rows_mut(contents.nrows(), positions.nrows()).copy_from(positions);
    let alpha = weights(&product(w_q, &x), &product(w_k, &x));
    let hint = "scores may be large, but not as large as f32 ends: with a smaller factor the others get nearly \
                nothing, too";
    finite(&alpha, "weights(W_q X, W_k X)", hint);
    alpha
}

/// The first token that does not give 0.99 to the one before.
fn fault(alpha: &Matrix) -> Option<String> {
    let i = (1..alpha.ncols()).find(|i| alpha[(i - 1, *i)] < 0.99)?;
    let most = alpha.column(i).imax();
    Some(format!(
        "token {i} gives {:.3} to the one before it, and most, {:.3}, to token {most}",
        alpha[(i - 1, i)],
        alpha[(most, i)]
    ))
}

fn hint_for(w_q: &Matrix, alpha: &Matrix) -> &'static str {
    let n = alpha.ncols();
    let goes = |by: isize| {
        (1..n - 1).all(|i: usize| alpha.column(i).imax() == i.saturating_add_signed(by))
    };
    let (first, last) = (w_q.column(0), w_q.column(w_q.ncols() - 1));
    if first.amax() > 0.0 && last.amax() == 0.0 {
        "the last columns of W_q are zeros: the positions are the last rows of a token"
    } else if goes(0) {
        "every token gives most to itself: turn the query, or the key, but not both the same way"
    } else if goes(1) {
        "every token gives most to the one after it: the other way round"
    } else if goes(-1) && !far_away_is_second(alpha) {
        "the right one gets most, but not enough: scores need a larger factor, for others are near, too"
    } else {
        "a place far away looks the same: the fastest pair repeats after 44 places nearly to the digit"
    }
}

/// Whether the token with the second weight of the first faulty token is far from the one before.
fn far_away_is_second(alpha: &Matrix) -> bool {
    let faulty = (1..alpha.ncols()).find(|i| alpha[(i - 1, *i)] < 0.99).unwrap_or(1);
    let mut column = alpha.column(faulty).into_owned();
    column[faulty - 1] = 0.0;
    column.imax().abs_diff(faulty - 1) > 40
}
