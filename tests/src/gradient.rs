//! The oracle of a gradient.

use nalgebra::DMatrix;

use crate::close::Entries;

/// The gradient of `f` at `x` by central differences, (f(x + h) − f(x − h)) / 2h entry by entry, in
/// double precision.
///
/// `f` is written in `f64` whatever the tested code computes in: in `f32` the difference of two
/// nearly equal values keeps only three digits, in `f64` about ten. The step h = ∛ε (1 + |x|)
/// balances rounding (ε/h) against truncation (h²).
///
/// ```
/// # use tests::{assert_close, finite_difference};
/// let x = [[1.0_f32, -2.0], [0.5, 3.0]];
/// let gradient = finite_difference(|x| x.norm_squared().powi(2), x); // 4‖x‖² x
/// assert_close!(gradient, [[57.0, -114.0], [28.5, 171.0]], 1e-8);
/// ```
pub fn finite_difference(f: impl Fn(&DMatrix<f64>) -> f64, x: impl Entries) -> DMatrix<f64> {
    let x = x.to_f64();
    let mut moved = x.clone();
    let mut gradient = DMatrix::zeros(x.nrows(), x.ncols());
    for i in 0..x.len() {
        let h = f64::EPSILON.cbrt() * (1.0 + x[i].abs());
        let (up, down) = (x[i] + h, x[i] - h);
        moved[i] = up;
        let above = f(&moved);
        moved[i] = down;
        let below = f(&moved);
        moved[i] = x[i];
        gradient[i] = (above - below) / (up - down); // the step as it was rounded
    }
    gradient
}

/// The mean of values under the softmax of their scores, in double precision, for a [`finite_difference`] of it.
pub fn softmax_mean(scored: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let largest = scored.clone().map(|(score, _)| score).fold(f64::MIN, f64::max);
    let weighted = scored.map(|(score, value)| ((score - largest).exp(), value));
    let (sum, total) = weighted.fold((0.0, 0.0), |(sum, total), (a, y)| (sum + a, total + a * y));
    total / sum
}
