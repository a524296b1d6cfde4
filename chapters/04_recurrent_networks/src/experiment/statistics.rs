//! Means, and numbers short enough to be read.

use shared::Float;

/// Four digits: results are read by people.
pub(super) fn short(x: Float) -> Float {
    format!("{x:.3e}").parse().expect("a number that was printed")
}

pub(super) fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// The same in double precision.
pub(super) fn short_f64(x: f64) -> f64 {
    format!("{x:.3e}").parse().expect("a number that was printed")
}
