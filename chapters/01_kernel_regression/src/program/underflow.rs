//! Where the quotient of sums ends.

use super::queries::{Data, grid};
use crate::{Kernel, nadaraya_watson, quotient};
use serde::{Deserialize, Serialize};
use shared::Float;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Underflow {
    pub bandwidth: Float,
    /// Share of 1001 queries where the quotient is 0/0.
    pub quotient_nan: f64,
    pub softmax_nan: f64,
    /// Largest distance between the softmax's prediction and the nearest neighbour's value.
    pub from_nearest: f64,
}

pub(super) fn measure((x, y): &Data) -> Vec<Underflow> {
    let queries = grid(0.0, 5.0, 1000);
    let nearest = nadaraya_watson(&queries, x, y, Kernel::Boxcar, 0.0);
    let share = |predictions: &[Float]| {
        predictions.iter().filter(|p| p.is_nan()).count() as f64 / queries.len() as f64
    };
    let at = |h: Float| {
        let softmax = nadaraya_watson(&queries, x, y, Kernel::Gaussian, h);
        let distances = softmax.iter().zip(&nearest).map(|(a, b)| f64::from((a - b).abs()));
        Underflow {
            bandwidth: h,
            quotient_nan: share(&quotient(&queries, x, y, Kernel::Gaussian, h)),
            softmax_nan: share(&softmax),
            from_nearest: distances.fold(0.0, f64::max),
        }
    };
    [0.1, 0.01, 0.001, 0.0001].map(at).into()
}
