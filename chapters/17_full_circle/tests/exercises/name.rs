//! 17.8: eight black boxes.

use super::solutions;
use full_circle::Kind;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};

pub type Ask<'a> = &'a dyn Fn(&Matrix, &Matrix, &Matrix) -> Matrix;
pub type Name = fn(Ask) -> Kind;

pub const EXERCISE: Exercise<Name> = Exercise {
    check,
    wrong: &[
        wrong("there are eight of them", |_| Kind::LeastSquares),
        wrong("the delta rule and the implicit step differ in how a long key counts", |ask| {
            replaced(solutions::name(ask), Kind::ImplicitStep, Kind::DeltaRule)
        }),
        wrong("least squares forget no key, in whatever order", |ask| {
            replaced(solutions::name(ask), Kind::LeastSquares, Kind::DeltaRule)
        }),
        wrong("a narrow kernel is not yet the nearest neighbour", |ask| {
            replaced(solutions::name(ask), Kind::NadarayaWatson, Kind::NearestNeighbour)
        }),
        wrong("a wide kernel is not yet the mean", |ask| {
            replaced(solutions::name(ask), Kind::Mean, Kind::NadarayaWatson)
        }),
        wrong("linear attention hears of every key as if there were no other", |ask| {
            replaced(solutions::name(ask), Kind::LinearAttention, Kind::DeltaRule)
        }),
    ],
};

fn replaced(found: Kind, is: Kind, by: Kind) -> Kind {
    if found == is { by } else { found }
}

fn check(name: Name) {
    let parameters = |kind| match kind {
        Kind::NadarayaWatson | Kind::LocalLine => [0.5, 1.0, 3.0],
        Kind::LeastSquares => [0.01, 0.3, 10.0],
        Kind::ImplicitStep => [0.1, 1.0, 30.0],
        _ => [0.1, 0.5, 0.9],
    };
    for kind in Kind::ALL {
        for parameter in parameters(kind) {
            let estimator = kind.with(parameter);
            let found = name(&|q, k, v| estimator.answer(q, k, v));
            assert!(
                found == kind,
                "that was the {} with the parameter {parameter}, not the {}",
                kind.name(),
                found.name()
            );
        }
    }
}
