//! 9.5: three roles, one gradient.

use super::support::uneven;
use nalgebra::DMatrix;
use scoring_functions::weights;
use shared::{Matrix, Operand, elementwise, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Gradient = fn(&Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<Gradient> {
    Exercise {
        number: 5,
        title: "three roles, one gradient",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "weights as numbers",
                hint: "a value only",
                answer: |x, dy| by_role(x, dy)[2].clone(),
            },
            Wrong {
                name: "no value",
                hint: "a query and a key, but not as a value",
                answer: |x, dy| {
                    let [dq, dk, _] = by_role(x, dy);
                    dq + dk
                },
            },
            Wrong { name: "no key", hint: "asked, too", answer: no_key },
            Wrong { name: "no query", hint: "asks, too", answer: no_query },
            Wrong { name: "twice the query", hint: "dS is not", answer: twice },
            Wrong { name: "the weights not transposed", hint: "dY·Aᵀ", answer: not_transposed },
            Wrong { name: "twice the key", hint: "dS is not", answer: twice_the_key },
            Wrong { name: "√d forgotten", hint: "1/√d", answer: without_scale },
            Wrong { name: "the diagonal of the softmax", hint: "share a sum", answer: diagonal },
        ],
    }
}

fn check(plain_gradient: Gradient) {
    for (d, n) in [(2, 3), (3, 2), (4, 4)] {
        let (x, dy) = (uneven(d, n, 0.4) * 0.6, uneven(d, n, 3.1));
        let weighted = dy.map(f64::from);
        let loss = |x: &DMatrix<f64>| {
            let mut alpha = (x.transpose() * x / (d as f64).sqrt()).map(f64::exp);
            for mut column in alpha.column_iter_mut() {
                let sum = column.sum();
                column /= sum;
            }
            (x * alpha).dot(&weighted)
        };
        let right = finite_difference(loss, &x);
        let [dq, dk, dv] = by_role(&x, &dy);
        expect(plain_gradient(&x, &dy), right, 2e-5)
            .of("plain_gradient(x, dy)")
            .given("x", &x)
            .given("dy", &dy)
            .or_hint(&dv, "as if the weights were numbers: here a token is a value only")
            .or_hint(&dq + &dk, "here a token is a query and a key, but not as a value of the mean")
            .or_hint(no_key(&x, &dy), "a token asks and is a value; but it is asked, too")
            .or_hint(no_query(&x, &dy), "a token is asked and is a value; but it asks, too")
            .or_hint(
                twice(&x, &dy),
                "XᵀX is symmetric, but dS is not: a query's part is X·dS, a key's X·dSᵀ",
            )
            .or_hint(twice_the_key(&x, &dy), "dS is not symmetric: X·dS of the query is missing")
            .or_hint(not_transposed(&x, &dy), "Y = V·A: the value's part is dY·Aᵀ, not dY·A")
            .or_hint(
                without_scale(&x, &dy),
                "the scores were divided by √d, so dQ and dK are times 1/√d",
            )
            .or_hint(
                diagonal(&x, &dy),
                "a query's weights share a sum: dS = A ⊙ (dA − αᵀdα), not A ⊙ (1 − A) ⊙ dA",
            )
            .check();
    }
}

/// dQ, dK and dV.
fn by_role(x: &Matrix, dy: &Matrix) -> [Matrix; 3] {
    let alpha = weights(x, x);
    let mut ds = product(&x.t(), dy);
    elementwise::softmax_backward(&mut ds, &alpha);
    ds /= (x.nrows() as f32).sqrt();
    [product(x, &ds), product(x, &ds.t()), product(dy, &alpha.t())]
}

fn no_key(x: &Matrix, dy: &Matrix) -> Matrix {
    let [dq, _, dv] = by_role(x, dy);
    dq + dv
}

fn no_query(x: &Matrix, dy: &Matrix) -> Matrix {
    let [_, dk, dv] = by_role(x, dy);
    dk + dv
}

fn twice(x: &Matrix, dy: &Matrix) -> Matrix {
    let [dq, _, dv] = by_role(x, dy);
    dq * 2.0 + dv
}

fn twice_the_key(x: &Matrix, dy: &Matrix) -> Matrix {
    let [_, dk, dv] = by_role(x, dy);
    dk * 2.0 + dv
}

fn not_transposed(x: &Matrix, dy: &Matrix) -> Matrix {
    let [dq, dk, _] = by_role(x, dy);
    dq + dk + product(dy, &weights(x, x))
}

fn without_scale(x: &Matrix, dy: &Matrix) -> Matrix {
    let [dq, dk, dv] = by_role(x, dy);
    (dq + dk) * (x.nrows() as f32).sqrt() + dv
}

fn diagonal(x: &Matrix, dy: &Matrix) -> Matrix {
    let alpha = weights(x, x);
    let da = product(&x.t(), dy);
    let ds = alpha.zip_map(&da, |a, da| a * (1.0 - a) * da) / (x.nrows() as f32).sqrt();
    product(x, &ds) + product(x, &ds.t()) + product(dy, &alpha.t())
}
