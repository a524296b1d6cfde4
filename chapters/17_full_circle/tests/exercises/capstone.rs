//! 17.9, the capstone: boxes of the reader's functions, named by the reader's function.

use super::in_chunks::InChunks;
use super::line_weights::LineWeights;
use super::name::Name;
use super::one_more::OneMore;
use full_circle::{Estimator, Kind, NadarayaWatson};
use shared::Matrix;

tests::parts! {
    1 line_weights: LineWeights = [|_, _, alpha| alpha.to_vec()],
    2 one_more: OneMore = [|p, _| p.clone()],
    5 in_chunks: InChunks = [|_, _, v, _| v.map(|_| 1.0)],
    8 name: Name = [|_| Kind::Mean, |_| Kind::LeastSquares],
}

fn check(parts: Parts) {
    let boxes: [(Kind, Box<dyn Estimator>); 6] = [
        (Kind::LocalLine, Box::new(Yours(Kind::LocalLine, parts))),
        (Kind::LeastSquares, Box::new(Yours(Kind::LeastSquares, parts))),
        (Kind::LinearAttention, Box::new(Yours(Kind::LinearAttention, parts))),
        (Kind::NadarayaWatson, Kind::NadarayaWatson.with(1.0)),
        (Kind::DeltaRule, Kind::DeltaRule.with(0.5)),
        (Kind::ImplicitStep, Kind::ImplicitStep.with(1.0)),
    ];
    let mut wrong = Vec::new();
    for (kind, estimator) in boxes {
        let found = (parts.name)(&|q, k, v| estimator.answer(q, k, v));
        if found != kind {
            wrong.push(format!("{} was named {}", kind.name(), found.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
}

/// An estimator on the reader's functions, for keys on a line.
struct Yours(Kind, Parts);

impl Estimator for Yours {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let Yours(kind, parts) = self;
        let (m, n) = (keys.ncols(), queries.ncols());
        match kind {
            Kind::LocalLine => {
                let mut weights = NadarayaWatson { bandwidth: 1.0 }.weights(queries, keys);
                for (q, mut w) in queries.iter().zip(weights.column_iter_mut()) {
                    let line = (parts.line_weights)(*q, keys.as_slice(), w.as_slice());
                    w.copy_from_slice(&line);
                }
                weights
            }
            Kind::LeastSquares => {
                let p = keys.column_iter().fold(Matrix::identity(1, 1) * 2.0, |p, k| {
                    (parts.one_more)(&p, &k.into_owned())
                });
                keys.tr_mul(&(p * queries))
            }
            // Keys first, then queries that write nothing.
            _ => {
                let beside =
                    |a: &Matrix, b: &Matrix| {
                        Matrix::from_fn(a.nrows(), m + n, |i, j| {
                            if j < m { a[(i, j)] } else { b[(i, j - m)] }
                        })
                    };
                let (q, k) =
                    (beside(&Matrix::zeros(1, m), queries), beside(keys, &Matrix::zeros(1, n)));
                let v = beside(&Matrix::identity(m, m), &Matrix::zeros(m, n));
                (parts.in_chunks)(&q, &k, &v, 2).columns(m, n).into_owned()
            }
        }
    }
}
