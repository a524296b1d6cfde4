//! 8.5: the gradient of the entropy.

use super::solutions;
use super::support::{scores, softmax, softmax_less};
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard};

type EntropyGradient = fn(&Vector) -> Vector;

pub const EXERCISE: Exercise<EntropyGradient> = Exercise {
    check,
    wrong: &[
        wrong(
            "this is −ln α − 1, the gradient with respect to α: send it through the softmax",
            |scores| softmax(scores).map(|a| -a.ln() - 1.0),
        ),
        wrong("the sign: entropy rises along its gradient", |scores| {
            -solutions::entropy_gradient(scores)
        }),
        wrong(
            "this is α ⊙ dα: αᵀdα is missing, which a softmax takes away from each dα",
            |scores| softmax(scores).map(|a| -a * (a.ln() + 1.0)),
        ),
        wrong(
            "α ⊙ (dα − αᵀdα): the −1 of dα drops out, but αᵀdα is not 0 without it, it is H",
            |scores| softmax(scores).map(|a| -a * a.ln()),
        ),
        wrong(
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
            |scores| softmax(scores).map(|a| a * (1.0 - a) * (-a.ln() - 1.0)),
        ),
        wrong("H is positive, and is added to ln αⱼ", |scores| of_alpha(softmax(scores), -1.0)),
        wrong("the largest score may be below 0, and is to be subtracted all the same", |scores| {
            of_alpha(softmax_less(scores.max().max(0.0), scores).add_scalar(1e-30), 1.0)
        }),
        wrong("a weight of 0 has no logarithm, but score − ln Σ e^score is a number", |scores| {
            of_alpha(softmax(scores), 1.0)
        }),
    ],
};

fn check(entropy_gradient: EntropyGradient) {
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    for scores in [scores(), large].into_iter().chain(hard::scores().map(|hard| hard.1)) {
        expect(entropy_gradient(&scores), finite_difference(entropy, &scores), 3e-4)
            .of("entropy_gradient(scores)")
            .given("scores", &scores)
            .check();
    }
}

fn entropy(x: &DMatrix<f64>) -> f64 {
    let x = x.add_scalar(-x.max());
    let ln_alpha = x.add_scalar(-x.map(f64::exp).sum().ln());
    -ln_alpha.map(f64::exp).dot(&ln_alpha)
}

/// −α ⊙ (ln α ± H), right while no weight is 0.
fn of_alpha(alpha: Vector, sign: f32) -> Vector {
    let entropy = -alpha.iter().map(|a| a * a.ln()).sum::<f32>();
    alpha.map(|a| -a * (a.ln() + sign * entropy))
}
