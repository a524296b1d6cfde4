//! 3.11 what scores must be divided by, predicted before they are drawn

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Divisors = fn() -> [f64; 5];

pub const EXERCISE: Exercise<Divisors> = Exercise {
    check,
    wrong: &[
        unhinted("always √d", || [8.0; 5]),
        unhinted("one factor's variance", || [16.0, 64.0 / 3f64.sqrt(), 8.0, 8.0, 8.0]),
        unhinted("the variance, not its root", || [1024.0, 64.0 / 9.0, 192.0, 32.0, 4096.0]),
        unhinted("means do not matter", || [32.0, 8.0 / 3.0, 8.0, 32f64.sqrt(), 64.0]),
        unhinted("zeros change nothing", || [32.0, 8.0 / 3.0, 192f64.sqrt(), 8.0, 64.0]),
        unhinted("equal entries add up like others", || {
            [32.0, 8.0 / 3.0, 192f64.sqrt(), 32f64.sqrt(), 8.0]
        }),
    ],
};

fn check(divisors: Divisors) {
    let why = [
        "a factor comes out of a variance squared, and there are two vectors",
        "what is the variance of a number drawn uniformly from −1 to 1?",
        "Var(ab) = E[a²]E[b²] − (E[a]E[b])², and E[a²] is the variance plus a square",
        "how many products are not zero?",
        "the products are not independent: what is the sum of 64 equal ones?",
    ];
    for (i, (said, right)) in divisors().into_iter().zip(solutions::divisors()).enumerate() {
        assert!(
            (said / right - 1.0).abs() < 0.01,
            "in case {} the standard deviation of q·k is not {said}, within one per cent\nhint: {}",
            i + 1,
            why[i]
        );
    }
}
