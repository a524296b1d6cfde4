//! Streaming against the whole matrix.

use crate::data::noisy_points;
use crate::{Kernel, nadaraya_watson, streaming};
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::time::Instant;

/// Seconds on the machine and day that `where_and_when` names; no test compares these.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub where_and_when: String,
    pub threads: usize,
    /// 10⁵ queries × 10⁵ keys, streaming.
    pub streaming_100000: f64,
    /// 10⁴ × 10⁴, streaming.
    pub streaming_10000: f64,
    /// 10⁴ × 10⁴, the whole matrix of weights.
    pub matrix_10000: f64,
    /// The matrix' time over the streaming time at 10⁴ × 10⁴.
    pub speedup: f64,
    pub largest_difference: f64,
    /// Gigabytes that the matrix of 10⁵ × 10⁵ weights would take.
    pub matrix_100000_gb: f64,
}

pub fn time(where_and_when: &str) -> Measured {
    let once = |work: &dyn Fn() -> Vec<Float>| {
        let start = Instant::now();
        let predictions = work();
        (start.elapsed().as_secs_f64(), predictions)
    };
    let seconds = |work: &dyn Fn() -> Vec<Float>| {
        let (first, predictions) = once(work);
        (first.min(once(work).0).min(once(work).0), predictions)
    };
    let draw = |n: usize| noisy_points(n, &mut rng(0));
    let large = draw(100_000);
    let (streaming_100000, _) = seconds(&|| streaming::smooth(&large.0, &large.0, &large.1, 0.1));
    let (x, y) = draw(10_000);
    let (streaming_10000, streamed) = seconds(&|| streaming::smooth(&x, &x, &y, 0.1));
    let (matrix_10000, whole) = seconds(&|| nadaraya_watson(&x, &x, &y, Kernel::Gaussian, 0.1));
    let differences = streamed.iter().zip(&whole).map(|(a, b)| f64::from((a - b).abs()));
    Measured {
        where_and_when: where_and_when.to_owned(),
        threads: rayon::current_num_threads(),
        streaming_100000,
        streaming_10000,
        matrix_10000,
        speedup: matrix_10000 / streaming_10000,
        largest_difference: differences.fold(0.0, f64::max),
        matrix_100000_gb: 1e5 * 1e5 * size_of::<Float>() as f64 / 1e9,
    }
}
