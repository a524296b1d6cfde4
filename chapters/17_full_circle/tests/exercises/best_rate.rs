//! 17.3: the best rate of a linear layer.

use tests::exercises::{Exercise, wrong};

type BestRate = fn(usize, usize) -> f64;

pub const EXERCISE: Exercise<BestRate> = Exercise {
    check,
    wrong: &[
        wrong("A is the identity on average, but A² is more", |_, _| 1.0),
        wrong("E tr A²: m terms i = j, and m(m − 1) others", |m, d| m as f64 / (m + d) as f64),
        wrong("E (xxᵀ)² = (d + 2) I", |m, d| m as f64 / (m + d + 2) as f64),
        wrong("E tr A² is divided by m²", |m, d| 1.0 / (m + d + 1) as f64),
        wrong("that is the error that is left", |m, d| (d + 1) as f64 / (m + d + 1) as f64),
        wrong("points and entries are mixed up", |m, d| d as f64 / (m + d + 1) as f64),
    ],
};

/// The derivative of the error, with the two means from their definition: `E (1/m²) Σ tr(xᵢxᵢᵀxⱼxⱼᵀ)`.
fn check(best_rate: BestRate) {
    for (m, d) in [(10, 10), (20, 10), (40, 10), (1, 1), (5, 1), (7, 30)] {
        let eta = best_rate(m, d);
        let (n, k) = (m as f64, d as f64);
        let trace_of_square = (n * k * (k + 2.0) + n * (n - 1.0) * k) / (n * n);
        let derivative = 2.0 * (eta * trace_of_square - k) / k;
        assert!(
            derivative.abs() < 1e-9,
            "best_rate({m}, {d}) is {eta:.4}: the error still {} there",
            if derivative > 0.0 { "rises with the rate" } else { "falls with the rate" }
        );
    }
}
