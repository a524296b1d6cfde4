//! 8.2: the score function of a softmax.

use super::solutions;
use super::support::{scores, softmax, softmax_less};
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard};

type ScoreFunction = fn(&Vector, usize) -> Vector;

const LARGEST: &str =
    "subtract the largest score first, which may be below 0, and do not divide by α";

pub const EXERCISE: Exercise<ScoreFunction> = Exercise {
    check,
    wrong: &[
        wrong("of α_z, not of ln α_z", |scores, z| {
            solutions::score_function(scores, z) * softmax(scores)[z]
        }),
        wrong("α_z depends on every score, through the softmax", |scores, z| {
            one_at(scores, z) / softmax(scores)[z]
        }),
        wrong("the sign: a higher score z, a higher α_z", |scores, z| {
            -solutions::score_function(scores, z)
        }),
        wrong(
            "ln α_z depends on every score: raising another one takes probability away",
            |scores, z| one_at(scores, z) * (1.0 - softmax(scores)[z]),
        ),
        // ln α_z = −ln Σ e^(score_i − score_z): right on paper.
        wrong(LARGEST, |scores, z| one_at(scores, z) - softmax_less(scores[z], scores)),
        // ∂ln α_z = ∂α_z/α_z: right while α_z is not 0.
        wrong(LARGEST, |scores, z| {
            let alpha = softmax(scores)[z];
            solutions::score_function(scores, z) * alpha / alpha
        }),
    ],
};

fn check(score_function: ScoreFunction) {
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    let own = [scores(), large].map(|scores| ("", scores));
    for (hint, scores) in own.into_iter().chain(hard::scores()) {
        for z in 0..scores.len() {
            let ln_alpha =
                |x: &DMatrix<f64>| x[z] - x.max() - x.add_scalar(-x.max()).map(f64::exp).sum().ln();
            expect(score_function(&scores, z), finite_difference(ln_alpha, &scores), 1e-4)
                .of(format!("score_function(scores, {z})"))
                .given("scores", &scores)
                .hint(hint)
                .check();
        }
    }
}

fn one_at(scores: &Vector, z: usize) -> Vector {
    Vector::from_fn(scores.len(), |j, _| f32::from(u8::from(j == z)))
}
