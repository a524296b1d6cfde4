//! 8.2: the score function of a softmax.

use crate::solutions;
use crate::support::{scores, softmax};
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type ScoreFunction = fn(&Vector, usize) -> Vector;

pub fn exercise() -> Exercise<ScoreFunction> {
    Exercise {
        number: 2,
        title: "the score function of a softmax",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the gradient of α instead of its logarithm",
                hint: "gradient of α_z, not of ln α_z",
                answer: gradient_of_alpha,
            },
            Wrong {
                name: "one over α",
                hint: "",
                answer: |scores, s| {
                    let mut gradient = scores * 0.0;
                    gradient[s] = 1.0 / softmax(scores)[s];
                    gradient
                },
            },
            Wrong {
                name: "the other way round",
                hint: "sign",
                answer: |scores, s| -solutions::score_function(scores, s),
            },
            Wrong { name: "only the drawn place", hint: "every score", answer: only_the_place },
            Wrong { name: "unstable exponent", hint: "do not divide by α", answer: unstable },
            Wrong {
                name: "the largest score counted from 0",
                hint: "may be below 0",
                answer: |scores, s| unstable(&scores.add_scalar(-scores.max().max(0.0)), s),
            },
            // ln α_z = −ln Σ e^(score_i − score_z): right on paper.
            Wrong {
                name: "the drawn score subtracted instead of the largest",
                hint: "do not divide by α",
                answer: |scores, s| unstable(&scores.add_scalar(-scores[s]), s),
            },
            // ∂ln α_z = ∂α_z/α_z: right while α_z is not 0.
            Wrong {
                name: "the gradient of α_z divided by α_z",
                hint: "do not divide by α",
                answer: |scores, s| gradient_of_alpha(scores, s) / softmax(scores)[s],
            },
        ],
    }
}

fn check(score_function: ScoreFunction) {
    let x = scores();
    let column = DMatrix::from_column_slice(4, 1, x.as_slice());
    for s in 0..4 {
        let right = finite_difference(|x| ln_alpha(x, s), &column);
        expect(score_function(&x, s), &right, 1e-5)
            .of(format!("score_function(scores, {s})"))
            .given("scores", &column)
            .or_hint(gradient_of_alpha(&x, s), "this is the gradient of α_z, not of ln α_z")
            .or_hint(-&right, "the sign: raising score z makes place z more probable")
            .or_hint(
                only_the_place(&x, s),
                "ln α_z depends on every score: raising another one takes probability away",
            )
            .check();
    }
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    for s in 0..3 {
        let found = score_function(&large, s);
        assert!(
            found.iter().all(|x| x.is_finite()),
            "score_function([-1000, 1000, 999], {s}) is {:?}\nhint: subtract the largest \
             score first, and do not divide by α",
            found.as_slice()
        );
        let mut right = Vector::from_column_slice(&[0.0, -0.731_058_6, -0.268_941_4]);
        right[s] += 1.0;
        expect(found, right, 1e-5).of(format!("score_function([-1000, 1000, 999], {s})")).check();
    }
    let found = score_function(&Vector::from_column_slice(&[-1001.0, -1000.0]), 0);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "score_function([-1001, -1000], 0) is {:?}\nhint: the largest score may be below 0, and is to \
         be subtracted all the same",
        found.as_slice()
    );
    expect(found, [0.731_058_6, -0.731_058_6], 1e-5)
        .of("score_function([-1001, -1000], 0)")
        .check();
}

fn ln_alpha(scores: &DMatrix<f64>, s: usize) -> f64 {
    scores[s] - scores.map(f64::exp).sum().ln()
}

fn gradient_of_alpha(scores: &Vector, s: usize) -> Vector {
    solutions::score_function(scores, s) * softmax(scores)[s]
}

fn only_the_place(scores: &Vector, s: usize) -> Vector {
    let mut gradient = scores * 0.0;
    gradient[s] = 1.0 - softmax(scores)[s];
    gradient
}

fn unstable(scores: &Vector, s: usize) -> Vector {
    let exponentials = scores.map(f32::exp);
    let mut gradient = -(&exponentials / exponentials.sum());
    gradient[s] += 1.0;
    gradient
}
