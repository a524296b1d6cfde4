//! Solutions of the exercises of chapter 7.

use shared::{Float, Matrix, Operand, product};
use std::ops::Range;

/// 7.1: the first position that is not too far, and the one behind the last.
pub fn window(center: Float, width: usize, words: usize) -> Range<usize> {
    let width = width as Float;
    let first = (center - width).ceil().max(0.0) as usize;
    let last = (center + width).floor().min(words as Float - 1.0) as usize;
    first..last + 1
}

/// 7.2: `(W K)ᵀ Q`. The first product does not wait for a query.
pub fn general_scores(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    product(&product(w, keys).t(), queries)
}

/// 7.3: `∂y_s/∂p = y_s (s − p)/σ²`.
pub fn position_gradient(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    let share = |(s, (alpha, dy)): (usize, (&Float, &Float))| {
        let r = s as Float - p;
        dy * alpha * (-r * r / (2.0 * sigma * sigma)).exp() * r / (sigma * sigma)
    };
    alpha.iter().zip(dy).enumerate().map(share).sum()
}

/// 7.4: only the first layer's inputs grow, from E to E + H: 3·H·H parameters more.
pub fn decoder_parameters(embedding: usize, hidden: usize, layers: usize, feeding: bool) -> usize {
    let layer = |inputs: usize| 3 * (hidden * inputs + hidden * hidden + 2 * hidden);
    let first = if feeding { embedding + hidden } else { embedding };
    layer(first) + (layers - 1) * layer(hidden)
}

/// 7.5: the softmax divides by its own sum, before the Gaussian. Dividing by the sum of the
/// products hides how far p is from any word that fits.
pub fn local_p(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    let sigma = width as Float / 2.0;
    let largest = scores[window.clone()].iter().copied().fold(Float::MIN, Float::max);
    let exponential = |s: usize| (scores[s] - largest).exp();
    let sum: Float = window.clone().map(exponential).sum();
    let near = |s: usize| (-(s as Float - p).powi(2) / (2.0 * sigma * sigma)).exp();
    window.map(|s| exponential(s) / sum * near(s)).collect()
}

/// 7.6: only the positions that the sentence has take part in the softmax.
pub fn location(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    let known = words.min(w.nrows());
    let scores = w.rows(0, known) * query;
    let largest = scores.max();
    let exponentials = scores.map(|score| (score - largest).exp());
    let sum = exponentials.sum();
    let weight = |s: usize| if s < known { exponentials[s] / sum } else { 0.0 };
    (0..words).map(weight).collect()
}
