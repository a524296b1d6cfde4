//! Three labels, worked by hand.

use crate::estimator::{estimate, exact, lengths, optimal_baseline, variance};
use serde::{Deserialize, Serialize};
use shared::{Float, elementwise};

/// The stall of chapter 3: only one price label may be turned over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    pub alpha: Vec<Float>,
    /// Squared difference of each price from the true one, 4.
    pub losses: Vec<Float>,
    pub expected: Float,
    /// ∂J/∂scores
    pub exact: Vec<Float>,
    /// What turning each label over makes of it, b = 0.
    pub bare: Vec<Vec<Float>>,
    /// The same with b = J.
    pub with_baseline: Vec<Vec<Float>>,
    /// Variance with b = 0.
    pub bare_variance: Float,
    /// Variance with b = J.
    pub baseline_variance: Float,
    pub optimal: Float,
    pub optimal_variance: Float,
}

/// Weights of chapter 3's example; what was wished for costs 4.
pub fn example() -> Example {
    let alpha = scoring_functions::program::example().weights.to_vec();
    let losses: Vec<Float> = [4.0, 1.0, 3.0].map(|price: Float| (price - 4.0).powi(2)).to_vec();
    let expected = elementwise::dot(&alpha, &losses);
    let draws = |baseline: Float| -> Vec<Vec<Float>> {
        let of = |s: usize| estimate(&alpha, s, losses[s], baseline).as_slice().to_vec();
        (0..alpha.len()).map(of).collect()
    };
    let optimal = optimal_baseline(&alpha, &losses, &lengths(&alpha));
    Example {
        exact: exact(&alpha, &losses).as_slice().to_vec(),
        bare: draws(0.0),
        with_baseline: draws(expected),
        bare_variance: variance(&alpha, &losses, 0.0),
        baseline_variance: variance(&alpha, &losses, expected),
        optimal_variance: variance(&alpha, &losses, optimal),
        optimal,
        expected,
        losses,
        alpha,
    }
}
