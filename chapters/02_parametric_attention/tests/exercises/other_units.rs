//! 2.7 what other units change, predicted before anything is computed

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Units = fn() -> [f64; 7];

pub const EXERCISE: Exercise<Units> = Exercise {
    check,
    wrong: &[
        unhinted("the width follows the values", || with(0, 1.8)),
        unhinted("a loss in degrees", || with(1, 1.8)),
        unhinted("a slope that notices 32 degrees", || with(2, 33.8)),
        unhinted("a width in minutes", || with(3, 60.0)),
        unhinted("a loss in minutes", || with(4, 3600.0)),
        unhinted("a slope as small as the width", || with(5, 1.0 / 60.0)),
        unhinted("a percentage in minutes", || with(6, 60.0)),
    ],
};

/// Right, except for one of the seven.
fn with(i: usize, wrong: f64) -> [f64; 7] {
    let mut all = solutions::other_units();
    all[i] = wrong;
    all
}

fn check(units: Units) {
    let why = [
        "do the values enter the weights?",
        "errors are differences of temperatures; the loss is a sum of their squares",
        "what happens to the slope when all values grow by 32? And when they are multiplied?",
        "only the product of distance and width enters a score",
        "are the weights other ones, when distance times width is the same?",
        "a small change of the new width is how large a change of the old one?",
        "by how many per cent does the loss change when the width grows by one per cent?",
    ];
    for (i, (said, right)) in units().into_iter().zip(solutions::other_units()).enumerate() {
        let close = (said / right - 1.0).abs() < 1e-3;
        assert!(close, "number {} is not {said}\nhint: {}", i + 1, why[i]);
    }
}
