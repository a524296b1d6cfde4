//! When two entries count as equal.

use nalgebra::DMatrix;

pub(super) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    // Infinities first: |∞ − b| ≤ ε(1 + ∞) would hold for every b.
    if a.is_infinite() || b.is_infinite() {
        a == b
    } else {
        (a - b).abs() <= tolerance * (1.0 + b.abs())
    }
}

pub(super) fn all_close(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) -> bool {
    a.shape() == b.shape() && a.iter().zip(b).all(|(&a, &b)| close(a, b, tolerance))
}

/// 0 when close; else how far off, more for an infinity where none belongs, and most for NaN.
pub(super) fn badness(a: f64, b: f64, tolerance: f64) -> f64 {
    if close(a, b, tolerance) {
        0.0
    } else if a.is_nan() || b.is_nan() {
        f64::INFINITY
    } else {
        ((a - b).abs() / (1.0 + b.abs())).min(f64::MAX)
    }
}
