//! 9.10: a test that finds every leak.

use super::support::{scores, softmax, uneven};
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};

type Layer = dyn Fn(&Matrix) -> Matrix;
type Leaks = fn(&Layer, usize, usize) -> bool;

pub fn exercise() -> Exercise<Leaks> {
    Exercise {
        number: 10,
        title: "a test that finds every leak",
        kind: Kind::Design,
        difficulty: 3,
        minutes: 25,
        check,
        wrong: &[
            Wrong { name: "never", hint: "misses", answer: |_, _, _| false },
            Wrong {
                name: "the first output and the last token",
                hint: "one token ahead",
                answer: |layer, d, n| differ(layer, d, n, n - 1, 1, 0.0),
            },
            Wrong {
                name: "not close enough",
                hint: "a millionth",
                answer: |layer, d, n| (1..n).any(|seen| differ(layer, d, n, seen, seen, 1e-5)),
            },
            Wrong {
                name: "negated",
                hint: "the length",
                answer: |layer, d, n| every_prefix(layer, d, n, |x| -x),
            },
            Wrong {
                name: "no number at all",
                hint: "zeros as weights",
                answer: |layer, d, n| {
                    let x = uneven(d, n, 0.0);
                    (1..n).any(|seen| {
                        let mut changed = x.clone();
                        changed.columns_mut(seen, n - seen).fill(f32::NAN);
                        layer(&changed).columns(0, seen).iter().any(|y| y.is_nan())
                    })
                },
            },
            Wrong {
                name: "the changed token's own output",
                hint: "accuses",
                answer: |layer, d, n| (1..n).any(|seen| differ(layer, d, n, seen, seen + 1, 0.0)),
            },
            Wrong {
                name: "a number added",
                hint: "the difference of two entries",
                answer: |layer, d, n| every_prefix(layer, d, n, |x| x + 1.0),
            },
            Wrong {
                name: "shorter sequences",
                hint: "accuses",
                answer: |layer, d, n| {
                    let x = uneven(d, n, 0.1);
                    let whole = layer(&x);
                    (1..n).any(|seen| {
                        let found = layer(&x.columns(0, seen).into_owned());
                        (0..seen).any(|i| found.column(i) != whole.column(i))
                    })
                },
            },
        ],
    }
}

/// Whether the first `compared` outputs change by more than `tolerance` when the tokens from `seen` on
/// do.
fn differ(layer: &Layer, d: usize, n: usize, seen: usize, compared: usize, tolerance: f32) -> bool {
    (0..5).any(|trial| {
        let (x, other) = (uneven(d, n, trial as f32), uneven(d, n, 0.5 + 3.0 * trial as f32));
        let mut changed = x.clone();
        changed.columns_mut(seen, n - seen).copy_from(&other.columns(seen, n - seen));
        let apart = layer(&changed).columns(0, compared) - layer(&x).columns(0, compared);
        apart.amax() > tolerance
    })
}

fn every_prefix(layer: &Layer, d: usize, n: usize, change: fn(f32) -> f32) -> bool {
    (0..5).any(|trial| prefixes(layer, &uneven(d, n, trial as f32), change))
}

fn prefixes(layer: &Layer, x: &Matrix, change: fn(f32) -> f32) -> bool {
    let n = x.ncols();
    let y = layer(x);
    (1..n).any(|seen| {
        let mut changed = x.clone();
        changed.columns_mut(seen, n - seen).apply(|x| *x = change(*x));
        // x + 1 − (y + 1) is not x − y to the last bit: that would be found by luck.
        (layer(&changed).columns(0, seen) - y.columns(0, seen)).amax() > 1e-5
    })
}

fn check(leaks: Leaks) {
    for (d, n) in [(3, 5), (2, 3), (4, 8)] {
        for (name, of) in honest() {
            assert!(
                !leaks(&layer(of), d, n),
                "leaks(layer, {d}, {n}) accuses an honest layer: {name}\nhint: compare the outputs of tokens that \
                 stand before everything that was changed, in sequences of n tokens"
            );
        }
        for (name, of) in leaky() {
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
        let mut y = x.clone();
        for i in 0..x.ncols() {
            y.set_column(i, &of(x, i).column(0));
        }
        y
    }
}

fn token(x: &Matrix, i: usize) -> Matrix {
    x.columns(i, 1).into_owned()
}

/// Attention of token i to the first `seen`.
fn attend(x: &Matrix, i: usize, seen: usize) -> Matrix {
    let seen = x.columns(0, seen.min(x.ncols())).into_owned();
    product(&seen, &softmax(scores(&token(x, i), &seen)))
}

fn next(x: &Matrix, i: usize) -> Option<Matrix> {
    (i + 1 < x.ncols()).then(|| token(x, i + 1))
}

/// The same of all, with weights of 0 for the others.
fn attend_masked(x: &Matrix, i: usize, seen: usize) -> Matrix {
    let mut s = scores(&token(x, i), x);
    s.rows_mut(seen, x.ncols() - seen).fill(f32::NEG_INFINITY);
    product(x, &softmax(s))
}

fn honest() -> [(&'static str, Output); 7] {
    [
        ("causal attention", (|x, i| attend(x, i, i + 1))),
        (
            "causal attention with zeros as weights of what comes later",
            (|x, i| attend_masked(x, i, i + 1)),
        ),
        (
            "every token less the mean of its entries",
            (|x, i| token(x, i).add_scalar(-token(x, i).mean())),
        ),
        ("every token is the one before it", (|x, i| token(x, i.saturating_sub(1)))),
        ("every token is the first", (|x, _| token(x, 0))),
        ("every token knows how many there are", (|x, i| token(x, i) * x.ncols() as f32)),
        ("numbers that depend on no token", |x, _| Matrix::from_element(x.nrows(), 1, 0.5)),
    ]
}

fn leaky() -> [(&'static str, Output); 13] {
    [
        ("attention to all tokens", (|x, i| attend(x, i, x.ncols()))),
        ("attention to one token ahead", (|x, i| attend(x, i, i + 2))),
        (
            "the first token reads the second, nobody else anything",
            (|x, i| if i == 0 { token(x, 1) } else { token(x, i) }),
        ),
        (
            "the last token but one reads the last, nobody else anything",
            (|x, i| token(x, if i + 2 == x.ncols() { i + 1 } else { i })),
        ),
        (
            "tokens read two tokens ahead, but not one",
            (|x, i| token(x, if i + 2 < x.ncols() { i + 2 } else { i })),
        ),
        (
            "the last entry of the next token, in the last of this",
            (|x, i| {
                let (mut y, last) = (token(x, i), x.nrows() - 1);
                y[last] += next(x, i).map_or(0.0, |next| next[last]);
                y
            }),
        ),
        (
            "the difference of two entries of the next token",
            (|x, i| token(x, i).add_scalar(next(x, i).map_or(0.0, |next| next[0] - next[1]))),
        ),
        (
            "the direction of the next token",
            (|x, i| token(x, i) + next(x, i).map_or(token(x, i) * 0.0, |next| next.normalize())),
        ),
        (
            "the length of the next token",
            (|x, i| token(x, i).add_scalar(next(x, i).map_or(0.0, |next| next.norm()))),
        ),
        ("the largest entry of all tokens", (|x, i| token(x, i).add_scalar(x.max()))),
        (
            "entries normalised over the sentence",
            (|x, i| token(x, i).add_scalar(-x.mean()) / x.variance().sqrt().max(1e-6)),
        ),
        (
            "a millionth of the next token",
            (|x, i| token(x, i) + next(x, i).map_or(token(x, i) * 0.0, |next| next * 1e-6)),
        ),
        (
            "the first and the last entry exchanged where the next token begins with more than ½",
            |x, i| {
                let mut y = token(x, i);
                let last = y.len() - 1;
                if next(x, i).is_some_and(|next| next[0] > 0.5) {
                    y.swap((0, 0), (last, 0));
                }
                y
            },
        ),
    ]
}
