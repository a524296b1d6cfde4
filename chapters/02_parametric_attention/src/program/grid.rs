//! Where curves are asked for.

use shared::Float;

/// Numbers from `low` to `high` at even distances.
pub fn even(low: Float, high: Float, count: usize) -> Vec<Float> {
    (0..count).map(|i| low + (high - low) * i as Float / (count - 1) as Float).collect()
}

/// Numbers from `low` to `high` at even ratios.
pub fn spaced(low: Float, high: Float, count: usize) -> Vec<Float> {
    even(low.ln(), high.ln(), count).into_iter().map(Float::exp).collect()
}

/// The queries of the heatmaps, 0, 0.1 … 4.9, as in the textbook.
pub(super) fn queries() -> Vec<Float> {
    (0..50).map(|i| i as Float / 10.0).collect()
}
