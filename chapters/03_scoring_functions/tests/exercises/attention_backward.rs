//! 3.5 the gradient of attention
use super::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, Operand, product};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, softmax_mean, uneven};

pub type AttentionBackward = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix);

pub const EXERCISE: Exercise<AttentionBackward> = Exercise {
    check,
    wrong: &[
        wrong("E = KᵀQ/√d: √d scales the gradient too", |q, k, v, dout| {
            let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
            (dq * (q.nrows() as f32).sqrt(), dk * (q.nrows() as f32).sqrt(), dv)
        }),
        wrong(
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            |q, k, v, dout| {
                backward(|a, d| a.zip_map(d, |a, d| a * (1.0 - a) * d), [q, k, v, dout])
            },
        ),
        wrong("subtract a column's largest score before exp", |q, k, v, dout| {
            let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
            let sums = solutions::scaled_dot(q, k).map(f32::exp).row_sum();
            (dq * (sums.sum() / sums.sum()), dk, dv) // NaN, or as it was
        }),
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
        (&q * 100.0, keys.clone(), v.clone()), // exponentials that an f32 cannot hold
        (q.abs() * 100.0, keys.add_scalar(-4.0), v), // all far below 0
    ] {
        let (dq, dk, dv) = attention_backward(&q, &k, &v, &dout);
        let [q64, k64, v64] = [&q, &k, &v].map(Entries::to_f64);
        for (name, found, right) in [
            ("dv", dv, finite_difference(|v| loss(&q64, &k64, v, &dout), &v)),
            ("dq", dq, finite_difference(|q| loss(q, &k64, &v64, &dout), &q)),
            ("dk", dk, finite_difference(|k| loss(&q64, k, &v64, &dout), &k)),
        ] {
            let what = format!("{name} of attention_backward(q, k, v, doutput)");
            let expectation = expect(found, right, 1e-4).of(what).given("q", &q).given("k", &k);
            expectation.given("v", &v).given("doutput", &dout).check();
        }
    }
}

/// Its gradient with respect to the output is `dout`.
fn loss(q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>, dout: &Matrix) -> f64 {
    let (scores, values) = (k.tr_mul(q) / (q.nrows() as f64).sqrt(), v.tr_mul(&dout.to_f64()));
    let columns = scores.column_iter().zip(values.column_iter());
    columns.map(|(s, v)| softmax_mean(s.iter().copied().zip(v.iter().copied()))).sum()
}

fn weights(q: &Matrix, k: &Matrix) -> Matrix {
    solutions::masked_softmax(&solutions::scaled_dot(q, k), &vec![k.ncols(); q.ncols()])
}

/// The right backward, except for the softmax, (weights, dweights) → dscores.
fn backward(
    softmax_backward: fn(&Matrix, &Matrix) -> Matrix,
    [q, k, v, dout]: [&Matrix; 4],
) -> (Matrix, Matrix, Matrix) {
    let (weights, scale) = (weights(q, k), 1.0 / (q.nrows() as f32).sqrt());
    let dscores = softmax_backward(&weights, &product(&v.t(), dout)) * scale;
    (product(k, &dscores), product(q, &dscores.t()), product(dout, &weights.t()))
}
