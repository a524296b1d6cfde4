//! 3.11 what scores must be divided by, told before they are drawn

use tests::exercises::{Exercise, Kind, Wrong};

type Divisors = fn() -> [f64; 5];

pub fn exercise() -> Exercise<Divisors> {
    Exercise {
        number: 11,
        title: "predict: what to divide by",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "always √d", hint: "in case 1", answer: || [8.0; 5] },
            Wrong {
                name: "one factor's variance",
                hint: "in case 1",
                answer: || [16.0, 64.0 / 3f64.sqrt(), 8.0, 8.0, 8.0],
            },
            Wrong {
                name: "the variance, not its root",
                hint: "in case 1",
                answer: || [1024.0, 64.0 / 9.0, 192.0, 32.0, 4096.0],
            },
            Wrong {
                name: "means do not matter",
                hint: "in case 3",
                answer: || [32.0, 8.0 / 3.0, 8.0, 32f64.sqrt(), 64.0],
            },
            Wrong {
                name: "zeros change nothing",
                hint: "in case 4",
                answer: || [32.0, 8.0 / 3.0, 192f64.sqrt(), 8.0, 64.0],
            },
            Wrong {
                name: "equal entries add up like others",
                hint: "in case 5",
                answer: || [32.0, 8.0 / 3.0, 192f64.sqrt(), 32f64.sqrt(), 8.0],
            },
        ],
    }
}

fn check(divisors: Divisors) {
    let right = [
        (32.0, "a factor comes out of a variance squared, and there are two vectors"),
        (8.0 / 3.0, "what is the variance of a number drawn uniformly from −1 to 1?"),
        (
            192f64.sqrt(),
            "Var(ab) = E[a²]E[b²] − (E[a]E[b])², and E[a²] is the variance plus a square",
        ),
        (32f64.sqrt(), "how many products are not zero?"),
        (64.0, "the products are not independent: what is the sum of 64 equal ones?"),
    ];
    for (case, (said, (right, hint))) in (1..).zip(divisors().into_iter().zip(right)) {
        assert!(
            (said / right - 1.0).abs() < 0.01,
            "in case {case} the standard deviation of q·k is not {said}, within one per cent\nhint: {hint}"
        );
    }
}
