//! 1.10 what more points are worth, predicted before it is measured

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Predicted = fn() -> [f64; 4];

pub const EXERCISE: Exercise<Predicted> = Exercise {
    check,
    wrong: &[
        unhinted("like the mean of all points", || {
            [0.2 / 32f64.sqrt(), 0.0025 / 32.0, 2000.0, 0.0]
        }),
        unhinted("the bandwidth stays", || with(0, 0.2)),
        unhinted("the power as for the bandwidth", || [0.1, 0.0025 / 2.0, 32000.0, 0.0005]),
        unhinted("twice the points, half the error", || with(2, 2000.0)),
        unhinted("a kept bandwidth errs no more in the end", || with(3, 0.0)),
        unhinted("bias and variance are equal", || with(3, 0.00125)),
    ],
};

/// Right, except for one of the four.
fn with(i: usize, wrong: f64) -> [f64; 4] {
    let mut all = solutions::predicted();
    all[i] = wrong;
    all
}

fn check(predicted: Predicted) {
    let what = [
        "the best bandwidth",
        "the error at the best bandwidth",
        "the number of points for half the error",
        "the error with a bandwidth that is kept",
    ];
    let why = [
        "error(h) = Bh⁴ + V/nh: where is its derivative 0?",
        "put the best h back into Bh⁴ + V/nh",
        "the error falls like n to the power −4/5",
        "the variance goes; which share of the error is bias when h is the best?",
    ];
    for (i, (said, right)) in predicted().into_iter().zip(solutions::predicted()).enumerate() {
        assert!(
            (said / right - 1.0).abs() < 0.01,
            "{} is not {said}, within one per cent\nhint: {}",
            what[i],
            why[i]
        );
    }
}
