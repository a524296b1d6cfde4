//! 17.2: one more point.

use nalgebra::DVector;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

pub type OneMore = fn(&Matrix, &DVector<f32>) -> Matrix;

pub const EXERCISE: Exercise<OneMore> = Exercise {
    check,
    wrong: &[
        wrong("more evidence makes the inverse smaller", |p, k| {
            let pk = p * k;
            p + &pk * pk.transpose() / (1.0 + k.dot(&pk))
        }),
        wrong("it is divided by 1 + kᵀPk", |p, k| {
            let pk = p * k;
            p - &pk * pk.transpose()
        }),
        wrong("kᵀPk, not kᵀk", |p, k| {
            let pk = p * k;
            p - &pk * pk.transpose() / (1.0 + k.dot(k))
        }),
        wrong("P enters on both sides of kkᵀ", |p, k| {
            p - p * k * k.transpose() / (1.0 + k.dot(&(p * k)))
        }),
        wrong("that is what is inverted, not its inverse", |p, k| p + k * k.transpose()),
        wrong("kkᵀ is a matrix, kᵀk a number", |p, k| {
            let pk = p * k;
            p - Matrix::identity(p.nrows(), p.nrows()) * (pk.dot(&pk) / (1.0 + k.dot(&pk)))
        }),
    ],
};

fn check(one_more: OneMore) {
    let two = DVector::from_vec(vec![2.0]);
    expect(one_more(&Matrix::identity(1, 1), &two), Matrix::from_element(1, 1, 0.2), 1e-5)
        .of("one_more([1], [2])")
        .hint("1/(1 + 4)")
        .check();
    for seed in [0.0, 3.0] {
        let (x, k): (Matrix, Matrix) = (uneven(3, 5, seed), uneven(3, 1, seed + 1.0));
        let k = k.column(0).into_owned();
        let before: Matrix = &x * x.transpose() + Matrix::identity(3, 3);
        let after = &before + &k * k.transpose();
        let p = before.try_inverse().unwrap();
        expect(one_more(&p, &k), after.try_inverse().unwrap(), 1e-4)
            .of("one_more(p, k)")
            .given("p", &p)
            .hint("multiply it by p⁻¹ + kkᵀ: the identity?")
            .check();
    }
}
