//! 3.5 the gradient of attention

use crate::solutions;
use nalgebra::DMatrix;
use shared::elementwise::softmax_backward;
use shared::{Matrix, Operand, product};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven};

pub type AttentionBackward = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix);

pub const EXERCISE: Exercise<AttentionBackward> = Exercise {
    check,
    wrong: &[
        wrong("S = KᵀQ/√d: √d scales the gradient too", |q, k, v, dout| {
            let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
            let root = (q.nrows() as f32).sqrt();
            (dq * root, dk * root, dv)
        }),
        wrong(
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            |q, k, v, dout| {
                backward(
                    weights(q, k),
                    |a, d| a.zip_map(d, |a, d| a * (1.0 - a) * d),
                    q,
                    k,
                    v,
                    dout,
                )
            },
        ),
        wrong("subtract a column's largest score before exp", |q, k, v, dout| {
            let mut weights = solutions::scaled_dot(q, k).map(f32::exp);
            weights.column_iter_mut().for_each(|mut column| column /= column.sum());
            backward(weights, through, q, k, v, dout)
        }),
        wrong(
            "through the softmax, ds = α ⊙ (dα − δ): the mean δ of dα is missing",
            |q, k, v, dout| backward(weights(q, k), Matrix::component_mul, q, k, v, dout),
        ),
        wrong(
            "dA was taken for dS: between them stands the softmax, its Jacobian is missing",
            |q, k, v, dout| backward(weights(q, k), |_, d| d.clone(), q, k, v, dout),
        ),
        wrong("out = V·A, so dV = dO·Aᵀ", |q, k, v, dout| {
            let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
            (dq, dk, if q.ncols() == k.ncols() { product(dout, &weights(q, k)) } else { dv })
        }),
    ],
};

fn check(attention_backward: AttentionBackward) {
    let (q, v, dout) = (uneven(2, 3, 0.0), uneven(5, 4, 2.0), uneven(5, 3, 3.0));
    let keys: Matrix = uneven(2, 4, 1.0);
    for (q, k, v) in [
        // as many keys as queries, where a missing transpose has the right shape
        (q.clone(), keys.columns(0, 3).into_owned(), v.columns(0, 3).into_owned()),
        (q.clone(), keys.clone(), v.clone()),
        // scores of several hundreds, whose exponentials an f32 cannot hold; and all far below 0
        (&q * 100.0, keys.clone(), v.clone()),
        (q.abs() * 100.0, keys.add_scalar(-4.0), v),
    ] {
        let (dq, dk, dv) = attention_backward(&q, &k, &v, &dout);
        let [q64, k64, v64] = [&q, &k, &v].map(Entries::to_f64);
        for (name, found, right) in [
            ("dv", dv, finite_difference(|v| loss(&q64, &k64, v, &dout), &v)),
            ("dq", dq, finite_difference(|q| loss(q, &k64, &v64, &dout), &q)),
            ("dk", dk, finite_difference(|k| loss(&q64, k, &v64, &dout), &k)),
        ] {
            expect(found, right, 1e-4)
                .of(format!("{name} of attention_backward(q, k, v, doutput)"))
                .given("q", &q)
                .given("k", &k)
                .given("v", &v)
                .given("doutput", &dout)
                .check();
        }
    }
}

/// Its gradient with respect to the output is `dout`.
fn loss(q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>, dout: &Matrix) -> f64 {
    let mut weights = k.tr_mul(q) / (q.nrows() as f64).sqrt();
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|s| *s = (*s - max).exp());
        column /= column.sum();
    }
    (v * weights).dot(&dout.to_f64())
}

fn weights(q: &Matrix, k: &Matrix) -> Matrix {
    solutions::masked_softmax(&solutions::scaled_dot(q, k), &vec![k.ncols(); q.ncols()])
}

fn through(weights: &Matrix, dweights: &Matrix) -> Matrix {
    let mut dscores = dweights.clone();
    softmax_backward(&mut dscores, weights);
    dscores
}

/// The right backward, except for the weights and for the softmax, (weights, dweights) → dscores.
fn backward(
    weights: Matrix,
    softmax_backward: fn(&Matrix, &Matrix) -> Matrix,
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    dout: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    let scale = 1.0 / (q.nrows() as f32).sqrt();
    let dscores = softmax_backward(&weights, &product(&v.t(), dout)) * scale;
    (product(k, &dscores), product(q, &dscores.t()), product(dout, &weights.t()))
}
