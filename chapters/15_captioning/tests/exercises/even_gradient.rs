//! 15.3: the gradient of evenness.

use crate::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, wrong};
use tests::{expect, finite_difference};

type EvenGradient = fn(&Matrix) -> Matrix;

pub const EXERCISE: Exercise<EvenGradient> = Exercise {
    number: 3,
    title: "the gradient of evenness",
    kind: Kind::Derive,
    difficulty: 2,
    minutes: 15,
    check,
    wrong: &[
        wrong("the other way round", "a place that was looked at too seldom is to gain", |a| {
            -solutions::even_gradient(a)
        }),
        wrong("the 2 forgotten", "the derivative of a square has a 2", |a| {
            solutions::even_gradient(a) / 2.0
        }),
        wrong(
            "its own weight alone",
            "1 − Σₜ αₜᵢ, not 1 − αₜᵢ: all words share a place's sum",
            |a| a.map(|a| -2.0 * (1.0 - a)),
        ),
        wrong(
            "summed over the places",
            "over the places the weights sum to 1 anyway: sum over the words",
            |a| Matrix::from_fn(a.nrows(), a.ncols(), |_, t| -2.0 * (1.0 - a.column(t).sum())),
        ),
        wrong(
            "times the weight",
            "this is no softmax: the weights themselves are asked for",
            |a| solutions::even_gradient(a).component_mul(a),
        ),
        wrong("the loss at each place", "that is the term, not its gradient", |a| {
            solutions::even_gradient(a).map(|d| d * d / 4.0)
        }),
    ],
};

fn check(even_gradient: EvenGradient) {
    let weights =
        Matrix::from_row_slice(4, 3, &[0.7, 0.1, 0.6, 0.1, 0.2, 0.3, 0.2, 0.3, 0.1, 0.0, 0.4, 0.0]);
    let term = |a: &nalgebra::DMatrix<f64>| {
        a.row_iter().map(|row| (1.0_f64 - row.sum()).powi(2)).sum::<f64>()
    };
    expect(even_gradient(&weights), finite_difference(term, &weights), 1e-4)
        .of("even_gradient(weights)")
        .given("weights", &weights)
        .check();
}
