//! 1.5 leave-one-out from a single fit

use kernel_regression::{Float, Kernel, Matrix};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::{means, weights};

type LeaveOneOutFrom = fn(&Matrix, &[Float]) -> Vec<Float>;

pub fn exercise() -> Exercise<LeaveOneOutFrom> {
    Exercise {
        number: 5,
        title: "leave-one-out from a single fit",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "nobody left out",
                hint: "still in them",
                answer: |a, y| means(a, y, |all, _, _| all),
            },
            Wrong {
                name: "not rescaled",
                hint: "no longer sum to 1",
                answer: |a, y| means(a, y, |all, own, y| all - own * y),
            },
            Wrong {
                name: "rows for columns",
                hint: "column j",
                answer: |a, y| means(&a.transpose(), y, rescaled),
            },
            Wrong {
                name: "residuals",
                hint: "the prediction itself",
                answer: |a, y| means(a, y, |all, own, y| (y - all) / (1.0 - own)),
            },
        ],
    }
}

fn check(leave_one_out_from: LeaveOneOutFrom) {
    let (keys, values) = ([0.0, 0.5, 2.0, 2.25], [1.0, 4.0, -2.0, 3.0]);
    let weights = weights(&keys, &keys, 0.7);
    let expected = kernel_regression::leave_one_out(&keys, &values, Kernel::Gaussian, 0.7);
    expect(leave_one_out_from(&weights, &values), expected, 1e-4)
        .of("leave_one_out_from(weights, values)")
        .given("weights", &weights)
        .given("values", values)
        .or_hint(
            means(&weights, &values, |all, _, _| all),
            "these are the plain predictions: the points are still in them",
        )
        .or_hint(
            means(&weights, &values, |all, own, y| all - own * y),
            "the weights that remain no longer sum to 1: divide by their sum",
        )
        .or_hint(
            means(&weights.transpose(), &values, rescaled),
            "the weights of point j are column j, not row j",
        )
        .or_hint(
            means(&weights, &values, |all, own, y| (y - all) / (1.0 - own)),
            "these are the residuals: asked for is the prediction itself",
        )
        .check();
}

fn rescaled(all: Float, own: Float, y: Float) -> Float {
    (all - own * y) / (1.0 - own)
}
