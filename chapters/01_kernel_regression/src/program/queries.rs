//! Where curves are asked for, and what is true there.

use crate::data::truth;
use shared::Float;

pub(super) type Data = (Vec<Float>, Vec<Float>);

pub(super) fn grid(low: Float, high: Float, pieces: usize) -> Vec<Float> {
    (0..=pieces).map(|i| low + (high - low) * i as Float / pieces as Float).collect()
}

pub(super) fn whole() -> Data {
    let queries = grid(0.0, 5.0, 500);
    let truths = queries.iter().map(|x| truth(*x)).collect();
    (queries, truths)
}
