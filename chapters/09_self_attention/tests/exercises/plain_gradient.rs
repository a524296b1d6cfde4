//! 9.5: three roles, one gradient.

use nalgebra::DMatrix;
use scoring_functions::weights;
use shared::{Matrix, Operand, elementwise, product};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven};

type Gradient = fn(&Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<Gradient> = Exercise {
    check,
    wrong: &[
        wrong("here a token is a value only", |x, dy| by_role(x, dy, [0.0, 0.0, 1.0])),
        wrong("here a token is a query and a key, but not a value", |x, dy| {
            by_role(x, dy, [1.0, 1.0, 0.0])
        }),
        wrong("a token asks and is a value; but it is asked, too", |x, dy| {
            by_role(x, dy, [1.0, 0.0, 1.0])
        }),
        wrong("a token is asked and is a value; but it asks, too", |x, dy| {
            by_role(x, dy, [0.0, 1.0, 1.0])
        }),
        wrong(
            "XᵀX is symmetric, but dS is not: a query's part is X·dS, a key's X·dSᵀ",
            |x, dy| by_role(x, dy, [2.0, 0.0, 1.0]),
        ),
        wrong("Y = V·A: the value gets dY·Aᵀ, not dY·A", |x, dy| {
            by_role(x, dy, [1.0, 1.0, 0.0]) + product(dy, &weights(x, x))
        }),
        wrong("the scores were divided by √d: dQ and dK are, too", |x, dy| {
            let root = (x.nrows() as f32).sqrt();
            by_role(x, dy, [root, root, 1.0])
        }),
        wrong(
            "a query's weights share a sum: dS = A ⊙ (dA − αᵀdα), not A ⊙ (1 − A) ⊙ dA",
            |x, dy| {
                let da = product(&x.t(), dy) / (x.nrows() as f32).sqrt();
                let ds = weights(x, x).zip_map(&da, |a, da| a * (1.0 - a) * da);
                product(x, &(&ds + ds.transpose())) + by_role(x, dy, [0.0, 0.0, 1.0])
            },
        ),
    ],
};

fn check(plain_gradient: Gradient) {
    for (d, n) in [(2, 3), (3, 2), (4, 4)] {
        let (x, dy) = (uneven(d, n, 0.4) * 0.6, uneven(d, n, 3.1));
        let loss = |x: &DMatrix<f64>| {
            let mut alpha = (x.transpose() * x / (d as f64).sqrt()).map(f64::exp);
            alpha.column_iter_mut().for_each(|mut column| column /= column.sum());
            (x * alpha).dot(&dy.to_f64())
        };
        expect(plain_gradient(&x, &dy), finite_difference(loss, &x), 2e-5)
            .of("plain_gradient(x, dy)")
            .given("x", &x)
            .given("dy", &dy)
            .check();
    }
}

/// dQ, dK and dV, each as often as said.
fn by_role(x: &Matrix, dy: &Matrix, [query, key, value]: [f32; 3]) -> Matrix {
    let alpha = weights(x, x);
    let mut ds = product(&x.t(), dy);
    elementwise::softmax_backward(&mut ds, &alpha);
    ds /= (x.nrows() as f32).sqrt();
    product(x, &ds) * query + product(x, &ds.t()) * key + product(dy, &alpha.t()) * value
}
