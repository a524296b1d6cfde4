//! 6.4: the gradient of additive scores.

use super::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven, uneven_vector};

type AdditiveBackward = fn(&Vector, &Matrix, &Vector, &Vector) -> (Vector, Matrix, Vector);

pub const EXERCISE: Exercise<AdditiveBackward> = Exercise {
    check,
    wrong: &[
        wrong("tanh has a slope: 1 − t²", without_slope),
        wrong(
            "q is in the score of every word: its gradient is the sum over the words",
            |q, k, v, de| {
                let (_, dk, dv) = solutions::additive_backward(q, k, v, de);
                (dk.column(dk.ncols() - 1).into_owned(), dk, dv)
            },
        ),
        wrong(
            "q is in the score of every word: its gradient is the sum, not the mean",
            |q, k, v, de| {
                let (dq, dk, dv) = solutions::additive_backward(q, k, v, de);
                (dq / k.ncols() as f32, dk, dv)
            },
        ),
        wrong("v multiplies each row by its entry: where is it?", |q, k, v, de| {
            let (dq, dk, _) = solutions::additive_backward(q, k, &v.map(|_| 1.0), de);
            (dq, dk, solutions::additive_backward(q, k, v, de).2)
        }),
        wrong("deᵢ weighs word i: where is it?", |q, k, v, de| {
            let (dq, dk, _) = solutions::additive_backward(q, k, v, de);
            (dq, dk, solutions::additive_backward(q, k, v, &de.map(|_| 1.0)).2)
        }),
        wrong("v is learnt too: the scores are linear in it", |q, k, v, de| {
            let (dq, dk, dv) = solutions::additive_backward(q, k, v, de);
            (dq, dk, dv * 0.0)
        }),
    ],
};

fn check(additive_backward: AdditiveBackward) {
    let (q, keys, v, de) = (
        uneven_vector(3, 0.3),
        uneven(3, 4, 1.1) * 0.6,
        uneven_vector(3, 2.3),
        uneven_vector(4, 0.8),
    );
    let (dq, dk, dv) = additive_backward(&q, &keys, &v, &de);
    let loss = |q: &DMatrix<f64>, keys: &DMatrix<f64>, v: &DMatrix<f64>| {
        let t = DMatrix::from_fn(3, 4, |a, i| (q[a] + keys[(a, i)]).tanh());
        t.tr_mul(v).dot(&de.to_f64())
    };
    let of_dk = finite_difference(|keys| loss(&q.to_f64(), keys, &v.to_f64()), &keys);
    let of_dq = finite_difference(|q| loss(q, &keys.to_f64(), &v.to_f64()), &q);
    let of_dv = finite_difference(|v| loss(&q.to_f64(), &keys.to_f64(), v), &v);
    for (name, found, right) in
        [("dk", dk.to_f64(), of_dk), ("dq", dq.to_f64(), of_dq), ("dv", dv.to_f64(), of_dv)]
    {
        let expectation = expect(found, right, 1e-4).of(format!("{name} of additive_backward"));
        expectation.given("q", &q).given("keys", &keys).given("v", &v).given("de", &de).check();
    }
}

/// The gradients as if tanh had a slope of 1.
fn without_slope(q: &Vector, keys: &Matrix, v: &Vector, de: &Vector) -> (Vector, Matrix, Vector) {
    let t = Matrix::from_fn(keys.nrows(), keys.ncols(), |a, i| (q[a] + keys[(a, i)]).tanh());
    let dk = Matrix::from_fn(t.nrows(), t.ncols(), |a, i| v[a] * de[i]);
    (dk.column_sum(), dk, t * de)
}
