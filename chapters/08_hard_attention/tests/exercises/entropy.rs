//! 8.5: the gradient of the entropy.

use crate::support::{scores, softmax};
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type EntropyGradient = fn(&Vector) -> Vector;

pub fn exercise() -> Exercise<EntropyGradient> {
    Exercise {
        number: 5,
        title: "the gradient of the entropy",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "with respect to the weights",
                hint: "with respect to α",
                answer: with_respect_to_alpha,
            },
            Wrong {
                name: "the other way round",
                hint: "flatter",
                answer: |scores| -logarithm_of_zero(scores),
            },
            Wrong {
                name: "the mean forgotten",
                hint: "αᵀdα is missing",
                answer: |scores| softmax(scores).map(|a| -a * (a.ln() + 1.0)),
            },
            Wrong { name: "H forgotten", hint: "αᵀdα is not 0", answer: without_the_mean },
            Wrong {
                name: "the diagonal of the softmax alone",
                hint: "every weight depends on every score",
                answer: diagonal,
            },
            Wrong { name: "H with the other sign", hint: "H = −Σ", answer: other_sign },
            Wrong {
                name: "the largest score counted from 0",
                hint: "may be below 0",
                answer: |scores| {
                    let shifted = scores.add_scalar(-scores.max().max(0.0));
                    let ln_sum = shifted.map(f32::exp).sum().ln();
                    let ln_alpha = shifted.add_scalar(-ln_sum);
                    let alpha = ln_alpha.map(f32::exp);
                    let entropy = -alpha.dot(&ln_alpha);
                    alpha.zip_map(&ln_alpha, |a, ln_a| -a * (ln_a + entropy))
                },
            },
            Wrong {
                name: "the logarithm of zero",
                hint: "has no logarithm",
                answer: logarithm_of_zero,
            },
        ],
    }
}

fn check(entropy_gradient: EntropyGradient) {
    let x = scores();
    let column = DMatrix::from_column_slice(4, 1, x.as_slice());
    let entropy = |x: &DMatrix<f64>| {
        let e = x.map(f64::exp) / x.map(f64::exp).sum();
        -e.iter().map(|a| a * a.ln()).sum::<f64>()
    };
    let right = finite_difference(entropy, &column);
    expect(entropy_gradient(&x), &right, 1e-5)
        .of("entropy_gradient(scores)")
        .given("scores", &column)
        .or_hint(
            with_respect_to_alpha(&x),
            "this is −ln α − 1, the gradient with respect to α: send it through the softmax",
        )
        .or_hint(
            softmax(&x).map(|a| -a * (a.ln() + 1.0)),
            "this is α ⊙ dα: αᵀdα is missing, which a softmax takes away from each dα",
        )
        .or_hint(
            without_the_mean(&x),
            "α ⊙ (dα − αᵀdα): the −1 of dα drops out, but αᵀdα is not 0 without it, it is H",
        )
        .or_hint(
            diagonal(&x),
            "the diagonal of the softmax's Jacobian alone: every weight depends on every score",
        )
        .or_hint(other_sign(&x), "H = −Σ αⱼ ln αⱼ is positive, and is added to ln αⱼ")
        .or_hint(-&right, "the sign: going along the gradient should make the alignment flatter")
        .check();
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    let found = entropy_gradient(&large);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "entropy_gradient([-1000, 1000, 999]) is {:?}\nhint: a weight of 0 has no logarithm, but \
         score − ln Σ e^score is a number",
        found.as_slice()
    );
    expect(found, [0.0, -0.19661193, 0.19661193], 1e-5)
        .of("entropy_gradient([-1000, 1000, 999])")
        .check();
    let found = entropy_gradient(&Vector::from_column_slice(&[-1000.0, -1001.0]));
    assert!(
        found.iter().all(|x| x.is_finite()),
        "entropy_gradient([-1000, -1001]) is {:?}\nhint: the largest score may be below 0, and is to \
         be subtracted all the same",
        found.as_slice()
    );
    expect(found, [-0.19661193, 0.19661193], 1e-5).of("entropy_gradient([-1000, -1001])").check();
}

fn with_respect_to_alpha(scores: &Vector) -> Vector {
    softmax(scores).map(|a| -a.ln() - 1.0)
}

fn without_the_mean(scores: &Vector) -> Vector {
    softmax(scores).map(|a| -a * a.ln())
}

fn diagonal(scores: &Vector) -> Vector {
    softmax(scores).map(|a| a * (1.0 - a) * (-a.ln() - 1.0))
}

fn other_sign(scores: &Vector) -> Vector {
    let alpha = softmax(scores);
    let entropy = -alpha.iter().map(|a| a * a.ln()).sum::<f32>();
    alpha.map(|a| -a * (a.ln() - entropy))
}

/// Right while no weight is 0.
fn logarithm_of_zero(scores: &Vector) -> Vector {
    let alpha = softmax(scores);
    let entropy = -alpha.iter().map(|a| a * a.ln()).sum::<f32>();
    alpha.map(|a| -a * (a.ln() + entropy))
}
