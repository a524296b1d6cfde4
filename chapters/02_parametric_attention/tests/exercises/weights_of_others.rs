//! 2.1 attending to the others: hidden before the softmax, and by index

use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::{hidden_by_place, others, scored};

pub fn exercise() -> Exercise<fn(&[f32], f32) -> Matrix> {
    Exercise {
        number: 1,
        title: "attending to the others",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "attending to itself",
                hint: "attends to itself",
                answer: |x, w| others(x, |u| scored(u, w), true),
            },
            Wrong {
                name: "hidden after the softmax",
                hint: "before the softmax",
                answer: hidden_too_late,
            },
            Wrong { name: "hidden by its place", hint: "hide by index", answer: hidden_by_place },
            Wrong {
                name: "w instead of its square",
                hint: "inside the square",
                answer: |x, w| others(x, |u| -0.5 * w * u * u, false),
            },
            Wrong {
                name: "without the half",
                hint: "the ½",
                answer: |x, w| others(x, |u| 2.0 * scored(u, w), false),
            },
            Wrong {
                name: "over rows",
                hint: "each column must sum to 1",
                answer: |x, w| others(x, |u| scored(u, w), false).transpose(),
            },
        ],
    }
}

fn check(weights_of_others: fn(&[f32], f32) -> Matrix) {
    let (x, w) = ([0.0, 1.0, 1.5, 4.0], 0.8);
    let expected = others(&x, |u| scored(u, w), false);
    expect(weights_of_others(&x, w), &expected, 1e-5)
        .of("weights_of_others(x, 0.8)")
        .given("x", x)
        .or_hint(
            others(&x, |u| scored(u, w), true),
            "each point attends to itself: give its own score −∞",
        )
        .or_hint(
            hidden_too_late(&x, w),
            "hide the diagonal before the softmax, else the columns do not sum to 1",
        )
        .or_hint(others(&x, |u| -0.5 * w * u * u, false), "w stands inside the square")
        .or_hint(others(&x, |u| 2.0 * scored(u, w), false), "the ½ is missing")
        .or_hint(
            expected.transpose(),
            "these are softmaxes over rows: column j is point j's, so each column must sum to 1",
        )
        .check();

    let far = [0.0, 1.0, 100.0];
    expect(weights_of_others(&far, 50.0), [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0; 3]], 1e-6)
        .of("weights_of_others(x, 50)")
        .given("x", far)
        .check();

    let twins = [1.0, 2.5, 1.0, 0.0];
    expect(weights_of_others(&twins, w), others(&twins, |u| scored(u, w), false), 1e-5)
        .of("weights_of_others(x, 0.8)")
        .given("x", twins)
        .or_hint(
            hidden_by_place(&twins, w),
            "two points may share an x and may attend to each other: hide by index",
        )
        .check();
}

fn hidden_too_late(x: &[f32], w: f32) -> Matrix {
    let mut alpha = others(x, |u| scored(u, w), true);
    alpha.fill_diagonal(0.0);
    alpha
}
