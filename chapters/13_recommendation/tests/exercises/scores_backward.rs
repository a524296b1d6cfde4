//! 13.3: back to the scores.

use crate::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, wrong};
use tests::{expect, uneven, uneven_vector};

type Backward = fn(&Vector, &Matrix, &Vector, bool) -> Vector;

pub const EXERCISE: Exercise<Backward> = Exercise {
    number: 3,
    title: "derive: back to the scores",
    kind: Kind::Derive,
    difficulty: 2,
    minutes: 20,
    check,
    wrong: &[
        wrong("the softmax is left out", "a softmax passes a gradient on", |s, keys, du, _| {
            solutions::scores_backward(s, keys, du, false)
        }),
        wrong("always a softmax", "without one the scores are the weights", |s, keys, du, _| {
            solutions::scores_backward(s, keys, du, true)
        }),
        wrong(
            "the mean is not subtracted",
            "weights of a softmax sum to 1: where one grows, others shrink",
            |s, keys, du, softmax| {
                let da = keys.tr_mul(du);
                if softmax { alpha(s).component_mul(&da) } else { da }
            },
        ),
        wrong(
            "a plain mean is subtracted",
            "the mean is one under the weights",
            |s, keys, du, softmax| {
                let da = keys.tr_mul(du);
                if !softmax {
                    return da;
                }
                let mean = da.mean();
                alpha(s).zip_map(&da, |alpha, da| alpha * (da - mean))
            },
        ),
        wrong(
            "the weight itself is left out",
            "each score moves its weight by α(1 − α)",
            |s, keys, du, softmax| {
                let da = keys.tr_mul(du);
                let mean = alpha(s).dot(&da);
                if softmax { da.add_scalar(-mean) } else { da }
            },
        ),
        wrong(
            "times the scores",
            "the derivative of a·k with respect to a is k",
            |s, keys, du, softmax| {
                if softmax {
                    return solutions::scores_backward(s, keys, du, true);
                }
                keys.tr_mul(du).component_mul(s)
            },
        ),
    ],
};

fn alpha(scores: &Vector) -> Vector {
    let exponentials = scores.map(|score| (score - scores.max()).exp());
    &exponentials / exponentials.sum()
}

fn check(backward: Backward) {
    for (d, m, phase) in [(2, 3, 0.4), (4, 6, 1.7), (3, 1, 0.9)] {
        let (scores, keys): (Vector, Matrix) = (uneven_vector(m, phase), uneven(d, m, phase + 1.0));
        let du: Vector = uneven_vector(d, phase + 2.0);
        for softmax in [false, true] {
            let right = solutions::scores_backward(&scores, &keys, &du, softmax);
            expect(backward(&scores, &keys, &du, softmax), right, 1e-5)
                .of(format!("scores_backward(scores, keys, du, softmax: {softmax})"))
                .given("scores", &scores)
                .given("keys", &keys)
                .given("du", &du)
                .check();
        }
    }
}
