//! REINFORCE for one query, in plain numbers.
//!
//! One query has an alignment `alpha` over m places and a loss `losses[i]` for each place it might
//! look at. A draw z gives the estimate `(ℓ_z − b)(1_z − α)` of the gradient with respect to the
//! scores. There are only m possible draws, so mean and variance of the estimate are finite sums:
//! nothing about it has to be guessed from samples, and samples can be held against it.

use shared::{Float, Vector};

/// The gradient of the expected loss with respect to the scores: `αⱼ(ℓⱼ − J)` with `J = Σ αⱼℓⱼ`.
///
/// ```
/// use hard_attention::estimator::exact;
/// let gradient = exact(&[0.5, 0.5], &[0.0, 1.0]); // looking at the first place costs nothing
/// assert_eq!(gradient.as_slice(), [-0.25, 0.25]); // so its score should rise
/// ```
// ANCHOR: exact
pub fn exact(alpha: &[Float], losses: &[Float]) -> Vector {
    let expected: Float = alpha.iter().zip(losses).map(|(a, l)| a * l).sum();
    Vector::from_iterator(alpha.len(), alpha.iter().zip(losses).map(|(a, l)| a * (l - expected)))
}
// ANCHOR_END: exact

/// What one draw estimates it to be: `(ℓ_z − b)(1_z − α)`.
///
/// ```
/// use hard_attention::estimator::estimate;
/// assert_eq!(estimate(&[0.25, 0.75], 0, 2.0, 0.0).as_slice(), [1.5, -1.5]);
/// assert_eq!(estimate(&[0.25, 0.75], 0, 2.0, 2.0).as_slice(), [0.0, 0.0]); // as expected: no news
/// ```
// ANCHOR: estimate
pub fn estimate(alpha: &[Float], place: usize, loss: Float, baseline: Float) -> Vector {
    let mut gradient = -Vector::from_column_slice(alpha);
    gradient[place] += 1.0; // 1_z − α
    gradient * (loss - baseline)
}
// ANCHOR_END: estimate

/// `‖1ⱼ − α‖² = 1 − 2αⱼ + ‖α‖²` for each place: how long the score function is there.
pub fn lengths(alpha: &[Float]) -> Vec<Float> {
    let square: Float = alpha.iter().map(|a| a * a).sum();
    alpha.iter().map(|a| (1.0 - 2.0 * a + square).max(0.0)).collect()
}

/// `E[(ℓ_z − b)² ‖g_z‖²] = Σⱼ αⱼ (ℓⱼ − b)² ‖gⱼ‖²`, with the square lengths `‖gⱼ‖²` of the score
/// function with respect to whatever is estimated. A parabola in b.
pub fn second_moment(alpha: &[Float], losses: &[Float], lengths: &[Float], b: Float) -> Float {
    (0..alpha.len()).map(|i| alpha[i] * (losses[i] - b).powi(2) * lengths[i]).sum()
}

/// The variance of [`estimate`], summed over its entries: `E‖estimate‖² − ‖exact‖²`.
pub fn variance(alpha: &[Float], losses: &[Float], b: Float) -> Float {
    second_moment(alpha, losses, &lengths(alpha), b) - exact(alpha, losses).norm_squared()
}

/// Where the parabola is lowest: the mean of the losses, weighted with `αⱼ‖gⱼ‖²`; 0 when all those
/// weights are 0, and with them the variance.
pub fn optimal_baseline(alpha: &[Float], losses: &[Float], lengths: &[Float]) -> Float {
    let weights: Vec<Float> = alpha.iter().zip(lengths).map(|(a, g)| a * g).collect();
    let total: Float = weights.iter().sum();
    let sum: Float = weights.iter().zip(losses).map(|(w, l)| w * l).sum();
    if total > 0.0 { sum / total } else { 0.0 }
}
