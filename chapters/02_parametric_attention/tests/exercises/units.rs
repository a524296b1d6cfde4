//! 2.7 what other units change, told before anything is computed

use tests::exercises::{Exercise, Kind, Wrong};

type Units = fn() -> [f64; 7];

pub fn exercise() -> Exercise<Units> {
    Exercise {
        number: 7,
        title: "predict: other units",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the width follows the values",
                hint: "number 1",
                answer: || [1.8, 3.24, 1.8, 1.0 / 60.0, 1.0, 60.0, 1.0],
            },
            Wrong {
                name: "a loss in degrees",
                hint: "number 2",
                answer: || [1.0, 1.8, 1.8, 1.0 / 60.0, 1.0, 60.0, 1.0],
            },
            Wrong {
                name: "a slope that notices 32 degrees",
                hint: "number 3",
                answer: || [1.0, 3.24, 33.8, 1.0 / 60.0, 1.0, 60.0, 1.0],
            },
            Wrong {
                name: "a width in minutes",
                hint: "number 4",
                answer: || [1.0, 3.24, 1.8, 60.0, 1.0, 1.0 / 60.0, 1.0],
            },
            Wrong {
                name: "a loss in minutes",
                hint: "number 5",
                answer: || [1.0, 3.24, 1.8, 1.0 / 60.0, 3600.0, 60.0, 1.0],
            },
            Wrong {
                name: "a slope as small as the width",
                hint: "number 6",
                answer: || [1.0, 3.24, 1.8, 1.0 / 60.0, 1.0, 1.0 / 60.0, 1.0],
            },
            Wrong {
                name: "a percentage in minutes",
                hint: "number 7",
                answer: || [1.0, 3.24, 1.8, 1.0 / 60.0, 1.0, 60.0, 60.0],
            },
        ],
    }
}

fn check(units: Units) {
    let right = [
        (1.0, "do the values enter the weights?"),
        (3.24, "errors are differences of temperatures; the loss is a sum of their squares"),
        (
            1.8,
            "what happens to the slope when all values grow by 32? And when they are multiplied?",
        ),
        (1.0 / 60.0, "only the product of distance and width enters a score"),
        (1.0, "are the weights other ones, when distance times width is the same?"),
        (60.0, "a small change of the new width is how large a change of the old one?"),
        (1.0, "by how many per cent does the loss change when the width grows by one per cent?"),
    ];
    for (number, (said, (right, hint))) in (1..).zip(units().into_iter().zip(right)) {
        let close = (said / right - 1.0).abs() < 1e-3;
        assert!(close, "number {number} is not {said}\nhint: {hint}");
    }
}
