//! Where curves are asked for, and what is true there.

use crate::data::truth;
use shared::Float;

/// x, and y or the truth there.
pub(super) type Data = (Vec<Float>, Vec<Float>);

/// Evenly spaced, both ends included.
pub(super) fn grid(low: Float, high: Float, pieces: usize) -> Vec<Float> {
    (0..=pieces).map(|i| low + (high - low) * i as Float / pieces as Float).collect()
}

/// Queries over the whole interval, with the truth at each.
pub(super) fn whole() -> Data {
    let queries = grid(0.0, 5.0, 500);
    let truths = queries.iter().map(|x| truth(*x)).collect();
    (queries, truths)
}
