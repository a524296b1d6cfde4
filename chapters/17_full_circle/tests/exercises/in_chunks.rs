//! 17.5: a chunk.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

pub type InChunks = fn(&Matrix, &Matrix, &Matrix, usize) -> Matrix;

pub const EXERCISE: Exercise<InChunks> = Exercise {
    check,
    wrong: &[
        bug("the memory already holds the chunk: its tokens are read twice", |q, k, v, chunk| {
            by(q, k, v, chunk, |s, [q, k, v]| {
                *s += v * k.transpose();
                &*s * q + v * k.tr_mul(q).upper_triangle()
            })
        }),
        wrong("a token also reads itself", |q, k, v, chunk| {
            by(q, k, v, chunk, |s, [q, k, v]| {
                let mut scores = k.tr_mul(q).upper_triangle();
                scores.fill_diagonal(0.0);
                let o = &*s * q + v * scores;
                *s += v * k.transpose();
                o
            })
        }),
        wrong(
            "a column is a query: what comes after it stands below the diagonal",
            |q, k, v, chunk| {
                by(q, k, v, chunk, |s, [q, k, v]| {
                    let o = &*s * q + v * k.tr_mul(q).lower_triangle();
                    *s += v * k.transpose();
                    o
                })
            },
        ),
        wrong("nothing is masked: tokens read what comes after them", |q, k, v, chunk| {
            by(q, k, v, chunk, |s, [q, k, v]| {
                *s += v * k.transpose();
                &*s * q
            })
        }),
        wrong("what came before the chunk is in the memory", |q, k, v, chunk| {
            by(q, k, v, chunk, |_, [q, k, v]| v * k.tr_mul(q).upper_triangle())
        }),
        wrong("the last chunk may be shorter", |q, k, v, chunk| {
            let mut o = solutions::in_chunks(q, k, v, chunk);
            let whole = q.ncols() / chunk * chunk;
            o.columns_mut(whole, q.ncols() - whole).fill(0.0);
            o
        }),
    ],
};

fn by(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    chunk: usize,
    mut step: impl FnMut(&mut Matrix, [&Matrix; 3]) -> Matrix,
) -> Matrix {
    let mut s = Matrix::zeros(v.nrows(), k.nrows());
    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    for first in (0..q.ncols()).step_by(chunk) {
        let n = chunk.min(q.ncols() - first);
        let [q, k, v] = [q, k, v].map(|x| x.columns(first, n).into_owned());
        o.columns_mut(first, n).copy_from(&step(&mut s, [&q, &k, &v]));
    }
    o
}

fn check(in_chunks: InChunks) {
    let (q, k, v) = (uneven(3, 7, 0.0), uneven(3, 7, 1.0), uneven(2, 7, 2.0));
    let expected = Matrix::from_fn(2, 7, |row, j| {
        (0..=j).map(|i| v[(row, i)] * k.column(i).dot(&q.column(j))).sum()
    });
    for chunk in [1, 2, 3, 7, 10] {
        expect(in_chunks(&q, &k, &v, chunk), expected.clone(), 1e-4)
            .of(format!("in_chunks(q, k, v, {chunk})"))
            .hint("what does the memory hold when a chunk reads it?")
            .check();
    }
}
