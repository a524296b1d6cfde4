//! 1.10 what more points are worth, told before it is measured

use tests::exercises::{Exercise, Kind, Wrong};

type Predicted = fn() -> [f64; 4];

pub fn exercise() -> Exercise<Predicted> {
    Exercise {
        number: 10,
        title: "predict: what more points are worth",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "like the mean of all points",
                hint: "the best bandwidth",
                answer: || [0.2 / 32f64.sqrt(), 0.0025 / 32.0, 2000.0, 0.0],
            },
            Wrong {
                name: "the bandwidth stays",
                hint: "the best bandwidth",
                answer: || [0.2, 0.0025 / 16.0, 1000.0 * 2f64.powf(1.25), 0.0005],
            },
            Wrong {
                name: "the power as for the bandwidth",
                hint: "the error at the best bandwidth",
                answer: || [0.1, 0.0025 / 2.0, 32000.0, 0.0005],
            },
            Wrong {
                name: "twice the points, half the error",
                hint: "half the error",
                answer: || [0.1, 0.0025 / 16.0, 2000.0, 0.0005],
            },
            Wrong {
                name: "a kept bandwidth errs no more in the end",
                hint: "a bandwidth that is kept",
                answer: || [0.1, 0.0025 / 16.0, 1000.0 * 2f64.powf(1.25), 0.0],
            },
            Wrong {
                name: "bias and variance are equal",
                hint: "a bandwidth that is kept",
                answer: || [0.1, 0.0025 / 16.0, 1000.0 * 2f64.powf(1.25), 0.00125],
            },
        ],
    }
}

fn check(predicted: Predicted) {
    let right = [
        (0.1, "the best bandwidth", "error(h) = Bh⁴ + V/nh: where is its derivative 0?"),
        (0.0025 / 16.0, "the error at the best bandwidth", "put the best h back into Bh⁴ + V/nh"),
        (
            1000.0 * 2f64.powf(1.25),
            "the number of points for half the error",
            "the error falls like n to the power −4/5",
        ),
        (
            0.0005,
            "the error with a bandwidth that is kept",
            "the variance goes; which share of the error is bias when h is the best?",
        ),
    ];
    for (said, (right, what, hint)) in predicted().into_iter().zip(right) {
        assert!(
            (said / right - 1.0).abs() < 0.01,
            "{what} is not {said}, within one per cent\nhint: {hint}"
        );
    }
}
