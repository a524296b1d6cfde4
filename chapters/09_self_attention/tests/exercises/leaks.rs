//! 9.10: a test that finds every leak.

use super::support::{scores, softmax};
use shared::{Matrix, product};
use tests::exercises::{Exercise, unhinted};
use tests::uneven;

pub type Leaks = fn(&dyn Fn(&Matrix) -> Matrix, usize, usize) -> bool;

pub const EXERCISE: Exercise<Leaks> = Exercise {
    check,
    wrong: &[
        unhinted("never", |_, _, _| false),
        unhinted("the first output and the last token", |layer, d, n| {
            finds(layer, d, n, [n - 1, 1], 0.0, |_, other| other)
        }),
        unhinted("not close enough", |layer, d, n| {
            (1..n).any(|seen| finds(layer, d, n, [seen; 2], 1e-5, |_, other| other))
        }),
        unhinted("negated", |layer, d, n| {
            (1..n).any(|seen| finds(layer, d, n, [seen; 2], 1e-5, |x, _| -x))
        }),
        unhinted("a number added", |layer, d, n| {
            (1..n).any(|seen| finds(layer, d, n, [seen; 2], 1e-5, |x, _| x + 1.0))
        }),
        unhinted("no number at all", |layer, d, n| {
            let x = uneven(d, n, 0.0);
            (1..n).any(|seen| {
                let mut changed = x.clone();
                changed.columns_mut(seen, n - seen).fill(f32::NAN);
                layer(&changed).columns(0, seen).iter().any(|y| y.is_nan())
            })
        }),
        unhinted("the changed token's own output", |layer, d, n| {
            (1..n).any(|seen| finds(layer, d, n, [seen, seen + 1], 0.0, |_, other| other))
        }),
        unhinted("shorter sequences", |layer, d, n| {
            let x = uneven(d, n, 0.1);
            let shorter = |seen| layer(&x.columns(0, seen).into_owned());
            (1..n).any(|seen| shorter(seen) != layer(&x).columns(0, seen))
        }),
    ],
};

/// Whether the first `compared` outputs change by more than `tolerance` when the tokens from `seen` on do.
fn finds(
    layer: &dyn Fn(&Matrix) -> Matrix,
    d: usize,
    n: usize,
    [seen, compared]: [usize; 2],
    tolerance: f32,
    change: fn(f32, f32) -> f32,
) -> bool {
    (0..5).any(|trial| {
        let x = uneven(d, n, f64::from(trial));
        let mut changed = x.zip_map(&uneven(d, n, 0.5 + 3.0 * f64::from(trial)), change);
        changed.columns_mut(0, seen).copy_from(&x.columns(0, seen));
        let apart = layer(&changed).columns(0, compared) - layer(&x).columns(0, compared);
        apart.amax() > tolerance
    })
}

fn check(leaks: Leaks) {
    for (d, n) in [(3, 5), (2, 3), (4, 8)] {
        for (name, of) in HONEST {
            assert!(
                !leaks(&layer(of), d, n),
                "leaks(layer, {d}, {n}) accuses an honest layer: {name}\nhint: compare the outputs of tokens that \
                 stand before everything that was changed, in sequences of n tokens"
            );
        }
        for (name, of) in LEAKY {
            assert!(leaks(&layer(of), d, n), "leaks(layer, {d}, {n}) misses a leak: {name}");
        }
        for (reader, read) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
            let layer = move |x: &Matrix| {
                let mut y = x.clone();
                y.set_column(reader, &x.column(read));
                y
            };
            assert!(
                leaks(&layer, d, n),
                "leaks(layer, {d}, {n}) misses a leak: token {reader} reads token {read}, counted from 0, nobody \
                 else anything"
            );
        }
    }
}

/// Output i of all tokens.
type Output = fn(&Matrix, usize) -> Matrix;

fn layer(of: Output) -> impl Fn(&Matrix) -> Matrix {
    move |x| {
        let columns: Vec<_> = (0..x.ncols()).map(|i| of(x, i).column(0).into_owned()).collect();
        Matrix::from_columns(&columns)
    }
}

const HONEST: [(&str, Output); 5] = [
    ("causal attention", |x, i| attend(x, i, i + 1)),
    ("causal attention with zeros as weights of what comes later", |x, i| {
        let mut s = scores(&token(x, i), x);
        s.rows_mut(i + 1, x.ncols() - i - 1).fill(f32::NEG_INFINITY);
        product(x, &softmax(s))
    }),
    ("every token is the one before it", |x, i| token(x, i.saturating_sub(1))),
    ("every token knows how many there are", |x, i| token(x, i) * x.ncols() as f32),
    ("numbers that depend on no token", |x, _| Matrix::from_element(x.nrows(), 1, 0.5)),
];

const LEAKY: [(&str, Output); 11] = [
    ("attention to all tokens", |x, i| attend(x, i, x.ncols())),
    ("attention to one token ahead", |x, i| attend(x, i, i + 2)),
    ("the difference of two entries of the next token", |x, i| {
        token(x, i).add_scalar(next(x, i)[0] - next(x, i)[1])
    }),
    ("the direction of the next token", |x, i| {
        token(x, i) + next(x, i).try_normalize(0.0).unwrap_or(token(x, i) * 0.0)
    }),
    ("the length of the next token", |x, i| token(x, i).add_scalar(next(x, i).norm())),
    ("the next token's last entry, in the last entry alone", |x, i| {
        let (mut y, last) = (token(x, i), x.nrows() - 1);
        y[last] += next(x, i)[last];
        y
    }),
    ("the next token's first entry where it is negative", |x, i| {
        token(x, i).add_scalar(next(x, i)[0].min(0.0))
    }),
    ("which of the next token's first two entries is larger", |x, i| {
        token(x, i) * if next(x, i)[0] > next(x, i)[1] { 2.0 } else { 1.0 }
    }),
    ("the largest entry of all tokens", |x, i| token(x, i).add_scalar(x.max())),
    ("a millionth of the next token", |x, i| token(x, i) + next(x, i) * 1e-6),
    (
        "the first and the last entry exchanged where the next token begins with more than ½",
        |x, i| {
            let mut y = token(x, i);
            if next(x, i)[0] > 0.5 {
                y.swap_rows(0, x.nrows() - 1);
            }
            y
        },
    ),
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
    let seen = x.columns(0, seen.min(x.ncols())).into_owned();
    product(&seen, &softmax(scores(&token(x, i), &seen)))
}
