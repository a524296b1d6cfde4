//! 6.4: the gradient of additive scores.

use crate::support::{matrix, vector};
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::close::Expectation;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type AdditiveBackward = fn(&Vector, &Matrix, &Vector, &Vector) -> (Vector, Matrix, Vector);

pub fn exercise() -> Exercise<AdditiveBackward> {
    Exercise {
        number: 4,
        title: "the gradient of additive scores",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "tanh forgotten",
                hint: "1 − t²",
                answer: |q, k, v, de| backward(q, k, v, de, |_| 1.0),
            },
            Wrong {
                name: "1 − t instead of 1 − t²",
                hint: "1 − t²",
                answer: |q, k, v, de| backward(q, k, v, de, |t| 1.0 - t),
            },
            Wrong {
                name: "slope at the argument",
                hint: "1 − t²",
                answer: |q, k, v, de| backward(q, k, v, de, |t| 1.0 - t.atanh() * t.atanh()),
            },
            Wrong {
                name: "the last word's query alone",
                hint: "in the score of every word",
                answer: |q, k, v, de| {
                    let (_, dk, dv) = right(q, k, v, de);
                    (dk.column(dk.ncols() - 1).into_owned(), dk, dv)
                },
            },
            Wrong {
                name: "a mean over the words",
                hint: "in the score of every word",
                answer: |q, k, v, de| {
                    let (dq, dk, dv) = right(q, k, v, de);
                    (dq / k.ncols() as f32, dk, dv)
                },
            },
            Wrong {
                name: "v forgotten in dk",
                hint: "through v",
                answer: |q, k, v, de| {
                    let (dq, _, dv) = right(q, k, v, de);
                    (dq, without_v(q, k, de), dv)
                },
            },
            Wrong {
                name: "v forgotten in dq and dk",
                hint: "through v",
                answer: |q, k, v, de| {
                    let dk = without_v(q, k, de);
                    (dk.column_sum(), dk, right(q, k, v, de).2)
                },
            },
            Wrong {
                name: "de forgotten in dv",
                hint: "deᵢ weighs",
                answer: |q, k, v, de| {
                    let (dq, dk, _) = right(q, k, v, de);
                    (dq, dk, right(q, k, v, &de.map(|_| 1.0)).2)
                },
            },
            Wrong {
                name: "v fixed",
                hint: "v is learnt",
                answer: |q, k, v, de| {
                    let (dq, dk, dv) = right(q, k, v, de);
                    (dq, dk, dv * 0.0)
                },
            },
            Wrong {
                name: "the gradient of the scores ignored",
                hint: "deᵢ weighs",
                answer: |q, k, v, de| right(q, k, v, &de.map(|_| 1.0)),
            },
        ],
    }
}

fn check(additive_backward: AdditiveBackward) {
    let (q, k, v, de) = (vector(3, 0.3), matrix(3, 4, 1.1), vector(3, 2.3), vector(4, 0.8));
    let (dq, dk, dv) = additive_backward(&q, &k, &v, &de);
    // e = Σᵢ deᵢ vᵀ tanh(q + kᵢ), in f64
    let loss = |q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>| -> f64 {
        let score = |i: usize| {
            (0..q.len()).map(|a| v[a] * (q[a] + k[(a, i)]).tanh()).sum::<f64>() * f64::from(de[i])
        };
        (0..k.ncols()).map(score).sum()
    };
    let wide = |x: &[f32], columns: usize| {
        DMatrix::from_iterator(x.len() / columns, columns, x.iter().map(|x| f64::from(*x)))
    };
    let (q64, k64, v64) = (wide(q.as_slice(), 1), wide(k.as_slice(), 4), wide(v.as_slice(), 1));
    let column = |x: &Vector| Matrix::from_column_slice(x.len(), 1, x.as_slice());
    let slopes: [(Slope, &str); 3] = [
        (|_| 1.0, "tanh has a slope: 1 − t²"),
        (|t| 1.0 - t, "the slope of tanh is 1 − t², not 1 − t"),
        (|t| 1.0 - t.atanh() * t.atanh(), "t is tanh(q + k), and the slope there is 1 − t²"),
    ];
    let given = |expected: Expectation, name: &str| {
        let call = format!("{name} of additive_backward(q, keys, v, de)");
        expected.of(call).given("q", &q).given("keys", &k).given("v", &v).given("de", &de)
    };
    let right_dk = finite_difference(|k| loss(&q64, k, &v64), &k);
    let mut expected = given(expect(dk, right_dk, 1e-4), "dk");
    for (slope, hint) in slopes {
        expected = expected.or_hint(backward(&q, &k, &v, &de, slope).1, hint);
    }
    let ignored = right(&q, &k, &v, &de.map(|_| 1.0));
    let of_de = "deᵢ weighs what word i adds to the loss: where is it?";
    expected
        .or_hint(
            without_v(&q, &k, &de),
            "the gradient comes through v: each row is multiplied by its entry",
        )
        .or_hint(&ignored.1, of_de)
        .check();
    let right = right(&q, &k, &v, &de);
    let hint = "q is in the score of every word: its gradient is the sum over the words";
    let right_dq = finite_difference(|q| loss(q, &k64, &v64), column(&q));
    given(expect(dq, right_dq, 1e-4), "dq")
        .or_hint(right.1.column(3).into_owned(), hint)
        .or_hint(&right.0 / 4.0, hint)
        .check();
    let right_dv = finite_difference(|v| loss(&q64, &k64, v), column(&v));
    given(expect(dv, right_dv, 1e-4), "dv")
        .or_hint(&ignored.2, of_de)
        .or_hint(Vector::zeros(3), "v is learnt too: the scores are linear in it")
        .check();
}

/// 1 − t² or a mistake.
type Slope = fn(f32) -> f32;

fn without_v(q: &Vector, k: &Matrix, de: &Vector) -> Matrix {
    right(q, k, &q.map(|_| 1.0), de).1
}

fn right(q: &Vector, k: &Matrix, v: &Vector, de: &Vector) -> (Vector, Matrix, Vector) {
    backward(q, k, v, de, |t| 1.0 - t * t)
}

/// The right gradient, but for the slope of tanh.
fn backward(
    q: &Vector,
    k: &Matrix,
    v: &Vector,
    de: &Vector,
    slope: Slope,
) -> (Vector, Matrix, Vector) {
    let t = Matrix::from_fn(k.nrows(), k.ncols(), |a, i| (q[a] + k[(a, i)]).tanh());
    let dk = Matrix::from_fn(k.nrows(), k.ncols(), |a, i| v[a] * de[i] * slope(t[(a, i)]));
    (dk.column_sum(), dk, t * de)
}
