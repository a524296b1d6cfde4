//! Means, and numbers short enough to be quoted.

use shared::Float;

pub(super) fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// To four digits after the point: what a page may quote, and small to store.
pub(super) fn round(x: Float) -> Float {
    (x * 1e4).round() / 1e4
}
