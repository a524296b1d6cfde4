//! 9.2: split and merge.

use super::support::{scores, softmax, uneven};
use scoring_functions::weights;
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Heads = fn(&Matrix, &Matrix, &Matrix, usize) -> Matrix;

pub fn exercise() -> Exercise<Heads> {
    Exercise {
        number: 2,
        title: "split and merge",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "one head", hint: "one softmax", answer: |q, k, v, _| one_head(q, k, v) },
            Wrong {
                name: "scaled by the whole width",
                hint: "entries of one head",
                answer: whole_width,
            },
            Wrong { name: "scaled by d", hint: "√d, not by d", answer: without_root },
            Wrong { name: "every H-th row", hint: "block", answer: interleaved },
            Wrong {
                name: "the heads' weights averaged",
                hint: "its own weights",
                answer: averaged,
            },
            Wrong {
                name: "the heads added up",
                hint: "one above another",
                answer: |q, k, v, heads| {
                    let d_v = v.nrows() / heads;
                    let h = looped(q, k, v, heads, |s, _| s);
                    (0..heads).fold(Matrix::zeros(d_v, q.ncols()), |y, i| y + h.rows(i * d_v, d_v))
                },
            },
            Wrong {
                name: "values cut like queries",
                hint: "",
                answer: |q, k, v, heads| {
                    let d = q.nrows() / heads;
                    let mut h = Matrix::zeros(v.nrows(), q.ncols());
                    for i in 0..heads {
                        let cut = |x: &Matrix| x.rows(i * d, d).into_owned();
                        h.rows_mut(i * d, d)
                            .copy_from(&product(&cut(v), &weights(&cut(q), &cut(k))));
                    }
                    h
                },
            },
        ],
    }
}

fn check(attend_in_heads: Heads) {
    for (heads, d, d_v, n, m) in [(2, 3, 3, 4, 5), (3, 2, 4, 5, 3), (4, 3, 2, 2, 6)] {
        let (q, k, v) =
            (uneven(heads * d, n, 0.3), uneven(heads * d, m, 1.0), uneven(heads * d_v, m, 2.0));
        let right = looped(&q, &k, &v, heads, |s, _| s);
        let found = attend_in_heads(&q, &k, &v, heads);
        assert!(
            found.shape() == right.shape(),
            "attend_in_heads(q, k, v, {heads}) has the shape {:?}, it should be {:?}\nhint: what the heads \
             find stands one above another, and each has {d_v} rows",
            found.shape(),
            right.shape()
        );
        expect(found, right, 1e-5)
            .of(format!("attend_in_heads(q, k, v, {heads})"))
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .or_hint(
                one_head(&q, &k, &v),
                "one softmax over whole columns: there are several heads",
            )
            .or_hint(
                whole_width(&q, &k, &v, heads),
                "divide by the root of the entries of one head, not of all heads together",
            )
            .or_hint(without_root(&q, &k, &v, heads), "scores are divided by √d, not by d")
            .or_hint(
                interleaved(&q, &k, &v, heads),
                "every H-th row was taken: a head is a block of rows that follow one another",
            )
            .or_hint(averaged(&q, &k, &v, heads), "every head mixes its values by its own weights")
            .check();
    }
}

/// A loop over heads; `change` sees a head's scores, and d.
fn looped(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    heads: usize,
    change: fn(Matrix, f32) -> Matrix,
) -> Matrix {
    let (d, d_v) = (q.nrows() / heads, v.nrows() / heads);
    let mut y = Matrix::zeros(v.nrows(), q.ncols());
    for i in 0..heads {
        let cut = |x: &Matrix, rows| x.rows(i * rows, rows).into_owned();
        let alpha = softmax(change(scores(&cut(q, d), &cut(k, d)), d as f32));
        y.rows_mut(i * d_v, d_v).copy_from(&product(&cut(v, d_v), &alpha));
    }
    y
}

fn one_head(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &weights(q, k))
}

fn whole_width(q: &Matrix, k: &Matrix, v: &Matrix, heads: usize) -> Matrix {
    looped(&(q / (heads as f32).sqrt()), k, v, heads, |s, _| s)
}

fn without_root(q: &Matrix, k: &Matrix, v: &Matrix, heads: usize) -> Matrix {
    looped(q, k, v, heads, |s, d| s / d.sqrt())
}

/// Row r belongs to head r mod H.
fn interleaved(q: &Matrix, k: &Matrix, v: &Matrix, heads: usize) -> Matrix {
    let order = |x: &Matrix| -> Vec<usize> {
        (0..heads).flat_map(|head| (head..x.nrows()).step_by(heads)).collect()
    };
    let sorted = |x: &Matrix| x.select_rows(&order(x));
    let h = looped(&sorted(q), &sorted(k), &sorted(v), heads, |s, _| s);
    let mut y = h.clone();
    for (from, to) in order(v).into_iter().enumerate() {
        y.set_row(to, &h.row(from));
    }
    y
}

fn averaged(q: &Matrix, k: &Matrix, v: &Matrix, heads: usize) -> Matrix {
    let d = q.nrows() / heads;
    let mut alpha = Matrix::zeros(k.ncols(), q.ncols());
    for i in 0..heads {
        let cut = |x: &Matrix| x.rows(i * d, d).into_owned();
        alpha += weights(&cut(q), &cut(k)) / heads as f32;
    }
    product(v, &alpha)
}
