//! 3.5 the gradient of attention

use nalgebra::DMatrix;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

use super::support::{finite, uneven, unstable_weights, weights};
use crate::solutions;

type AttentionBackward = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix);

pub fn exercise() -> Exercise<AttentionBackward> {
    Exercise {
        number: 5,
        title: "the gradient of attention",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "no scaling",
                hint: "√d scales the gradient too",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    let root = (q.nrows() as f32).sqrt();
                    (dq * root, dk * root, dv)
                },
            },
            Wrong {
                name: "only the diagonal",
                hint: "every weight depends on every score",
                answer: |q, k, v, dout| backward_with(only_the_diagonal, q, k, v, dout),
            },
            Wrong {
                name: "unstable exponent",
                hint: "subtract the largest",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    match unstable_weights(q, k).sum().is_finite() {
                        true => (dq, dk, dv),
                        false => (dq * f32::NAN, dk * f32::NAN, dv * f32::NAN),
                    }
                },
            },
            Wrong {
                name: "the mean not subtracted",
                hint: "α ⊙ (dα − δ)",
                answer: |q, k, v, dout| backward_with(Matrix::component_mul, q, k, v, dout),
            },
            Wrong {
                name: "a plain mean",
                hint: "under the weights",
                answer: |q, k, v, dout| backward_with(plain_mean, q, k, v, dout),
            },
            Wrong {
                name: "not multiplied by the weights",
                hint: "α ⊙ is missing",
                answer: |q, k, v, dout| backward_with(only_centred, q, k, v, dout),
            },
            Wrong {
                name: "the keys' sign",
                hint: "sign",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    (dq, -dk, dv)
                },
            },
            Wrong {
                name: "the softmax skipped",
                hint: "its Jacobian is missing",
                answer: |q, k, v, dout| backward_with(|_, d| d.clone(), q, k, v, dout),
            },
            Wrong {
                name: "divided by d",
                hint: "by √d, not by d",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    let root = (q.nrows() as f32).sqrt();
                    (dq / root, dk / root, dv)
                },
            },
            Wrong {
                name: "the keys' gradient not scaled",
                hint: "√d scales the gradient too",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    (dq, dk * (q.nrows() as f32).sqrt(), dv)
                },
            },
            Wrong {
                name: "mean over the wrong axis",
                hint: "one number a query",
                answer: |q, k, v, dout| backward_with(mean_over_queries, q, k, v, dout),
            },
            Wrong {
                name: "weights not transposed",
                hint: "dV = dO·Aᵀ",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    match q.ncols() == k.ncols() {
                        true => (dq, dk, product(dout, &weights(q, k))),
                        false => (dq, dk, dv),
                    }
                },
            },
            Wrong {
                name: "dq and dk exchanged",
                hint: "",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    (dk, dq, dv)
                },
            },
            Wrong {
                name: "no gradient for the keys",
                hint: "every key receives",
                answer: |q, k, v, dout| {
                    let (dq, dk, dv) = solutions::attention_backward(q, k, v, dout);
                    (dq, dk * 0.0, dv)
                },
            },
        ],
    }
}

fn check(attention_backward: AttentionBackward) {
    let loss = |q: &DMatrix<f64>, k: &DMatrix<f64>, v: &DMatrix<f64>, dout: &DMatrix<f64>| {
        let mut weights = k.tr_mul(q) / (q.nrows() as f64).sqrt();
        for mut column in weights.column_iter_mut() {
            let max = column.max();
            column.apply(|s| *s = (*s - max).exp());
            column /= column.sum();
        }
        (v * weights).dot(dout)
    };
    // As many keys as queries, where a missing transpose has the right shape, and more keys.
    for m in [3, 4] {
        let (q, k, v) = (uneven(2, 3, 0.0), uneven(2, m, 1.0), uneven(5, m, 2.0));
        let dout = uneven(5, 3, 3.0);
        let [q64, k64, v64, dout64] = [&q, &k, &v, &dout].map(|x| x.map(f64::from));
        let (dq, dk, dv) = attention_backward(&q, &k, &v, &dout);

        let right = finite_difference(|v| loss(&q64, &k64, v, &dout64), &v);
        let mut check = expect(dv, &right, 1e-4)
            .of("dv of attention_backward(q, k, v, doutput)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .given("doutput", &dout);
        if m == 3 {
            check = check.or_hint(
                product(&dout, &weights(&q, &k)),
                "out = V·A, so dV = dO·Aᵀ: the weights are transposed",
            );
        }
        check.check();

        let right = finite_difference(|q| loss(q, &k64, &v64, &dout64), &q);
        expect(dq, &right, 1e-4)
            .of("dq of attention_backward(q, k, v, doutput)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .given("doutput", &dout)
            .or_hint(&right * 2.0_f64.sqrt(), "S = KᵀQ/√d: √d scales the gradient too")
            .or_hint(&right / 2.0_f64.sqrt(), "S is divided by √d, not by d, and once")
            .or_hint(
                backward_with(Matrix::component_mul, &q, &k, &v, &dout).0,
                "through the softmax, ds = α ⊙ (dα − δ): the mean δ of dα is missing",
            )
            .or_hint(
                backward_with(plain_mean, &q, &k, &v, &dout).0,
                "δ is the mean of dα under the weights, αᵀdα, not the plain one",
            )
            .or_hint(
                backward_with(only_centred, &q, &k, &v, &dout).0,
                "through the softmax, ds = α ⊙ (dα − δ): the factor α ⊙ is missing",
            )
            .or_hint(
                backward_with(|_, d| d.clone(), &q, &k, &v, &dout).0,
                "dA was taken for dS: between them stands the softmax, its Jacobian is missing",
            )
            .or_hint(
                backward_with(only_the_diagonal, &q, &k, &v, &dout).0,
                "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            )
            .or_hint(
                backward_with(mean_over_queries, &q, &k, &v, &dout).0,
                "A ⊙ dA is summed over the keys, down each column: one number a query",
            )
            .check();

        let right = finite_difference(|k| loss(&q64, k, &v64, &dout64), &k);
        expect(dk, &right, 1e-4)
            .of("dk of attention_backward(q, k, v, doutput)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .given("doutput", &dout)
            .or_hint(-&right, "dk has the wrong sign: S = KᵀQ/√d is symmetric in q and k")
            .or_hint(&right * 2.0_f64.sqrt(), "S = KᵀQ/√d: √d scales the gradient too")
            .or_hint(
                DMatrix::<f64>::zeros(2, m),
                "dk: every key receives a gradient, from each query's score",
            )
            .check();
    }

    // Scores of several hundreds, whose exponentials an f32 cannot hold; and all far below 0.
    for (q, k) in [
        (uneven(2, 3, 0.0) * 100.0, uneven(2, 4, 1.0)),
        (uneven(2, 3, 0.0).abs() * 100.0, uneven(2, 4, 1.0).add_scalar(-4.0)),
    ] {
        let (v, dout) = (uneven(5, 4, 2.0), uneven(5, 3, 3.0));
        let [q64, k64, v64, dout64] = [&q, &k, &v, &dout].map(|x| x.map(f64::from));
        let (dq, dk, dv) = attention_backward(&q, &k, &v, &dout);
        for (found, right, name) in [
            (dq, finite_difference(|q| loss(q, &k64, &v64, &dout64), &q), "dq"),
            (dk, finite_difference(|k| loss(&q64, k, &v64, &dout64), &k), "dk"),
            (dv, finite_difference(|v| loss(&q64, &k64, v, &dout64), &v), "dv"),
        ] {
            let call = format!("{name} of attention_backward(q, k, v, doutput)");
            let given = [("q", &q), ("k", &k), ("v", &v), ("doutput", &dout)];
            let hint = "subtract the largest score of a column before you exponentiate";
            finite(&found, &call, &given, hint);
            expect(found, right, 1e-4).of(format!("{call} with scores of hundreds")).check();
        }
    }
}

/// The right backward, but for the softmax.
fn backward_with(
    softmax_backward: fn(&Matrix, &Matrix) -> Matrix,
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    dout: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    let (weights, scale) = (weights(q, k), 1.0 / (q.nrows() as f32).sqrt());
    let dscores = softmax_backward(&weights, &product(&v.t(), dout)) * scale;
    (product(k, &dscores), product(q, &dscores.t()), product(dout, &weights.t()))
}

fn only_the_diagonal(weights: &Matrix, dweights: &Matrix) -> Matrix {
    weights.zip_map(dweights, |a, d| a * (1.0 - a) * d)
}

fn plain_mean(weights: &Matrix, dweights: &Matrix) -> Matrix {
    Matrix::from_fn(weights.nrows(), weights.ncols(), |i, j| {
        weights[(i, j)] * (dweights[(i, j)] - dweights.column(j).mean())
    })
}

fn only_centred(weights: &Matrix, dweights: &Matrix) -> Matrix {
    let products = weights.component_mul(dweights);
    Matrix::from_fn(weights.nrows(), weights.ncols(), |i, j| {
        dweights[(i, j)] - products.column(j).sum()
    })
}

fn mean_over_queries(weights: &Matrix, dweights: &Matrix) -> Matrix {
    let products = weights.component_mul(dweights);
    Matrix::from_fn(weights.nrows(), weights.ncols(), |i, j| {
        weights[(i, j)] * (dweights[(i, j)] - products.row(i).sum())
    })
}
