//! 13.3: key and value at once.

use super::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard, softmax_mean, uneven, uneven_vector};

pub type Backward = fn(&Vector, &Matrix, &Vector, bool) -> (Vector, Matrix);

pub const EXERCISE: Exercise<Backward> = Exercise {
    check,
    wrong: &[
        wrong("a softmax passes a gradient on", |q, keys, du, _| {
            solutions::interest_backward(q, keys, du, false)
        }),
        wrong(
            "weights of a softmax sum to 1: where one grows, others shrink",
            |q, keys, du, softmax| parts(q, keys, du, softmax, |alpha, d, _| alpha * d, [1.0; 2]),
        ),
        wrong("a key has a score, too", |q, keys, du, softmax| {
            parts(q, keys, du, softmax, |alpha, d, mean| alpha * (d - mean), [1.0, 0.0])
        }),
        wrong("what is weighed is the key itself", |q, keys, du, softmax| {
            parts(q, keys, du, softmax, |alpha, d, mean| alpha * (d - mean), [0.0, 1.0])
        }),
    ],
};

/// The gradients with another way through the softmax, and a share of the two ways from a key to `u`.
fn parts(
    q: &Vector,
    keys: &Matrix,
    du: &Vector,
    softmax: bool,
    through: fn(f32, f32, f32) -> f32,
    [value, key]: [f32; 2],
) -> (Vector, Matrix) {
    let (mut weights, mut d_scores) = (keys.tr_mul(q), keys.tr_mul(du));
    if softmax {
        weights = solutions::softmax_of(&weights);
        let mean = weights.dot(&d_scores);
        d_scores.zip_apply(&weights, |d, alpha| *d = through(alpha, *d, mean));
    }
    (keys * &d_scores, du * weights.transpose() * value + q * d_scores.transpose() * key)
}

/// `du · u` in double precision.
fn loss(q: &DMatrix<f64>, keys: &DMatrix<f64>, du: &Vector, softmax: bool) -> f64 {
    let (scores, values) = (keys.tr_mul(q), keys.tr_mul(&du.map(f64::from)));
    let each = scores.iter().copied().zip(values.iter().copied());
    if softmax { softmax_mean(each) } else { scores.dot(&values) }
}

fn check(backward: Backward) {
    let what = "take one key: what does it do as a value, and what through its score?";
    let sizes = [(2, 3, 0.4), (4, 6, 1.7), (3, 1, 0.9)]
        .map(|(d, m, phase)| (what, uneven_vector(d, phase), uneven(d, m, phase + 1.0)));
    let hard = hard::scores::<f32>().map(|(hint, scores)| {
        let keys = Matrix::from_fn(2, scores.len(), |i, j| [scores[j] / 1024.0, j as f32][i]);
        (hint, Vector::from_column_slice(&[1024.0, 0.0]), keys)
    });
    for (hint, q, keys) in sizes.into_iter().chain(hard) {
        let du: Vector = uneven_vector(q.len(), 2.4);
        let asked = Matrix::from_columns(std::slice::from_ref(&q));
        for softmax in [false, true] {
            let (d_q, d_keys) = backward(&q, &keys, &du, softmax);
            let of_q = finite_difference(|q| loss(q, &keys.map(f64::from), &du, softmax), &asked);
            let of_keys =
                finite_difference(|keys| loss(&asked.map(f64::from), keys, &du, softmax), &keys);
            for (which, found, right) in
                [("d_q", Matrix::from_columns(&[d_q]), of_q), ("d_keys", d_keys, of_keys)]
            {
                let what = format!("{which} of interest_backward(q, keys, du, {softmax})");
                let expectation = expect(found, right, 1e-3).of(what).given("q", &q);
                expectation.given("keys", &keys).given("du", &du).hint(hint).check();
            }
        }
    }
}
