//! 2.4 the gradient of a matrix, square or not

use nalgebra::DMatrix;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type MatrixGradient = fn(&[f32], &Matrix, &[f32], &Matrix) -> Matrix;

pub fn exercise() -> Exercise<MatrixGradient> {
    Exercise {
        number: 4,
        title: "the gradient of a matrix",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "transposed",
                hint: "transpose",
                answer: |q, k, v, w| right_gradient(q, k, v, w).transpose(),
            },
            Wrong {
                name: "wrong sign",
                hint: "the sign",
                answer: |q, k, v, w| -right_gradient(q, k, v, w),
            },
            Wrong {
                name: "twice too much",
                hint: "twice",
                answer: |q, k, v, w| right_gradient(q, k, v, w) * 2.0,
            },
            Wrong {
                name: "a square matrix transposed",
                hint: "transpose",
                answer: |q, k, v, w| {
                    let right = right_gradient(q, k, v, w);
                    if w.is_square() { right.transpose() } else { right }
                },
            },
            Wrong {
                name: "far away, all scores zero",
                hint: "matrix_gradient([40, -30], keys, values, w)",
                answer: |q, k, v, w| match q[0] > 10.0 {
                    true => w * f32::NAN, // 0/0
                    false => right_gradient(q, k, v, w),
                },
            },
            Wrong {
                name: "no metric in the weights",
                hint: "",
                answer: |q, k, v, w| {
                    let plain = Matrix::identity(w.nrows(), w.ncols());
                    w * plain.transpose() * right_gradient(q, k, v, &plain)
                },
            },
        ],
    }
}

fn check(matrix_gradient: MatrixGradient) {
    let query = [0.2, -0.3];
    let keys = Matrix::from_row_slice(2, 4, &[1.0, 0.0, -0.5, 0.4, 0.5, -1.0, 0.3, 0.9]);
    let values = [3.0, 1.0, 2.0, -1.0];
    let w = Matrix::from_row_slice(3, 2, &[1.0, 0.5, -0.3, 0.8, 0.2, -1.1]);
    // The same formula in f64.
    let f = |w: &DMatrix<f64>| {
        let weight = |i: usize| {
            let u = DMatrix::from_fn(2, 1, |d, _| f64::from(query[d]) - f64::from(keys[(d, i)]));
            (-0.5 * (w * u).norm_squared()).exp()
        };
        let sum: f64 = (0..4).map(weight).sum();
        (0..4).map(|i| weight(i) * f64::from(values[i])).sum::<f64>() / sum
    };
    let right = finite_difference(f, &w);
    expect(matrix_gradient(&query, &keys, &values, &w), &right, 1e-4)
        .of("matrix_gradient(query, keys, values, w)")
        .given("query", query)
        .given("keys", &keys)
        .given("values", values)
        .given("w", &w)
        .or_hint(-&right, "the sign: a score falls as W grows")
        .or_hint(&right * 2.0, "twice too much: the ½ cancels the 2 of the square")
        .check();

    let square = Matrix::from_row_slice(2, 2, &[1.0, 0.5, -0.3, 0.8]);
    let right = finite_difference(f, &square);
    expect(matrix_gradient(&query, &keys, &values, &square), &right, 1e-4)
        .of("matrix_gradient(query, keys, values, w)")
        .given("query", query)
        .given("keys", &keys)
        .given("values", values)
        .given("w", &square)
        .or_hint(right.transpose(), "this is the transpose")
        .check();

    // Far away, the nearest key has all the weight: e to the power of any score would be 0.
    let far = [40.0, -30.0];
    expect(matrix_gradient(&far, &keys, &values, &w), w.map(|_| 0.0), 1e-4)
        .of("matrix_gradient([40, -30], keys, values, w)")
        .given("keys", &keys)
        .given("values", values)
        .given("w", &w)
        .check();
}

fn right_gradient(query: &[f32], keys: &Matrix, values: &[f32], w: &Matrix) -> Matrix {
    parametric_attention::predict_with_gradient(query, keys, values, w).1
}
