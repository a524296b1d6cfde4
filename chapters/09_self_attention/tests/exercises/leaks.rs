//! 9.10: a test that finds every leak.

use super::support::{scores, softmax};
use shared::{Matrix, product};
use std::ops::Range;
use tests::exercises::{Exercise, unhinted};
use tests::uneven;

type Layer<'a> = dyn Fn(&Matrix) -> Matrix + 'a;
type Change = fn(f32, f32) -> f32;
pub type Leaks = fn(&dyn Fn(&Matrix) -> Matrix, usize, usize) -> bool;

pub const EXERCISE: Exercise<Leaks> = Exercise {
    check,
    wrong: &[
        unhinted("the last token alone", |f, d, n| finds(f, [d, n, 0], n - 1..n, |_, other| other)),
        unhinted("negated", |f, d, n| finds(f, [d, n, 0], 1..n, |x, _| -x)),
        unhinted("no number at all", |f, d, n| finds(f, [d, n, 0], 1..n, |_, _| f32::NAN)),
        unhinted("its own output", |f, d, n| finds(f, [d, n, 1], 1..n, |_, other| other)),
    ],
};

/// Whether the outputs before one of these tokens, and `more`, change when the tokens from there on do.
fn finds(f: &Layer<'_>, [d, n, more]: [usize; 3], mut at: Range<usize>, new: Change) -> bool {
    at.any(|seen| {
        let x = uneven(d, n, 0.0);
        let mut changed = x.zip_map(&uneven(d, n, 0.5), new);
        changed.columns_mut(0, seen).copy_from(&x.columns(0, seen));
        f(&changed).columns(0, seen + more) != f(&x).columns(0, seen + more)
    })
}

fn check(leaks: Leaks) {
    for (d, n) in [(3, 5), (2, 3), (4, 8)] {
        for (name, is_leaky, of) in LAYERS {
            let said = leaks(&|x| from_columns(x, |i| of(x, i)), d, n);
            let hint = "compare outputs of tokens before all that was changed, of n tokens";
            assert!(said == is_leaky, "leaks(layer, {d}, {n}) is {said}: {name}\nhint: {hint}");
        }
        for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
            let found =
                leaks(&|x| from_columns(x, |at| token(x, if at == i { j } else { at })), d, n);
            assert!(found, "leaks(layer, {d}, {n}) misses that token {i} reads token {j}");
        }
    }
}

fn from_columns(x: &Matrix, of: impl Fn(usize) -> Matrix) -> Matrix {
    Matrix::from_fn(x.nrows(), x.ncols(), |row, i| of(i)[row])
}

/// What a layer does, whether it leaks, and its output i of all tokens.
type Output = (&'static str, bool, fn(&Matrix, usize) -> Matrix);

const LAYERS: [Output; 5] = [
    ("causal attention", false, |x, i| attend(x, i, i + 1)),
    ("causal attention with zeros as weights of what comes later", false, |x, i| {
        let mut s = scores(&token(x, i), x);
        s.rows_mut(i + 1, x.ncols() - i - 1).fill(f32::NEG_INFINITY);
        product(x, &softmax(s))
    }),
    ("attention to all tokens", true, |x, i| attend(x, i, x.ncols())),
    ("the length of the next token", true, |x, i| token(x, i).add_scalar(next(x, i).norm())),
    ("a millionth of the next token", true, |x, i| token(x, i) + next(x, i) * 1e-6),
];

fn token(x: &Matrix, i: usize) -> Matrix {
    x.columns(i, 1).into_owned()
}

/// Zeros after the last.
fn next(x: &Matrix, i: usize) -> Matrix {
    if i + 1 < x.ncols() { token(x, i + 1) } else { token(x, i) * 0.0 }
}

/// Attention of token i to the first `seen`.
fn attend(x: &Matrix, i: usize, seen: usize) -> Matrix {
    let seen = x.columns(0, seen).into_owned();
    product(&seen, &softmax(scores(&token(x, i), &seen)))
}
