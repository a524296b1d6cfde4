//! The exercises of chapter 7. Replace a `todo!()`, then run
//! `cargo test -p luong --test exercises`.
#![allow(unused_variables, unreachable_code)] // until all are solved

use shared::{Float, Matrix};
use std::ops::Range;

/// **7.1 a window and its borders – difficulty ●○○, about 10 minutes**
///
/// The positions s of a sentence of `words` words (0, 1, … words − 1) with |s − center| ≤ `width`.
/// The center lies between 0 and `words`; it need not be a whole number.
///
/// Hint: `ceil` and `floor`; cut off what lies outside the sentence; a `Range` ends before its end.
pub fn window(center: Float, width: usize, words: usize) -> Range<usize> {
    todo!()
}

/// **7.2 general scores, all at once – difficulty ●○○, about 10 minutes**
///
/// Entry (s, t) is `h_tᵀ W h̄_s`, the score of key s against query t. `queries` (d, n), `w` (d, k),
/// `keys` (k, m) → (m, n), in two products.
///
/// Hint: first what depends on the keys alone.
pub fn general_scores(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    todo!()
}

/// **7.3 the gradient of the position – difficulty ●●○, about 20 minutes**
///
/// With `y_s = α_s exp(−(s − p)²/2σ²)` for the positions s = 0, 1, …, and `dy` the gradient of a
/// loss with respect to y: its derivative with respect to p. `alpha` and `dy` are equally long.
///
/// Hint: differentiate the exponent. Which way does p move when a word behind it helps?
pub fn position_gradient(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    todo!()
}

/// **7.4 what input feeding costs – difficulty ●○○, about 10 minutes**
///
/// The parameters of a decoder of `layers` gated recurrent layers with `hidden` units, which reads
/// vectors of `embedding` entries – and, with `feeding`, h̃ beside them. A layer with i inputs and h
/// units has three gates, each with a matrix (h, i), a matrix (h, h) and two biases of h.
///
/// Hint: Luong et al. tell the input sizes in their footnote 11. h̃ is as wide as a state.
pub fn decoder_parameters(embedding: usize, hidden: usize, layers: usize, feeding: bool) -> usize {
    todo!()
}

/// **7.5 spot the bug: weights that forget where they were told to look – difficulty ●●○, about 15 minutes**
///
/// The weights of local-p: a softmax of the `scores` at the positions of `window`, each times its
/// `exp(−(s − p)²/2σ²)`, σ = `width`/2 (Luong et al. 2015, equation 10). `scores` has an entry for
/// every word of the sentence, the result one for every word of the window.
///
/// Hint: how large is the context when p lies between two words, or the window holds one word?
pub fn local_p(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    todo!("find the bug, then remove this line");
    let sigma = width as Float / 2.0;
    let largest = scores[window.clone()].iter().copied().fold(Float::MIN, Float::max);
    let weight = |s: usize| {
        let distance = s as Float - p;
        (scores[s] - largest).exp() * (-distance * distance / (2.0 * sigma * sigma)).exp()
    };
    let sum: Float = window.clone().map(weight).sum();
    window.map(|s| weight(s) / sum).collect()
}

/// **7.6 spot the bug: location in a short sentence – difficulty ●○○, about 10 minutes**
///
/// The weights of location-based attention (Luong et al. 2015, equation 8) on the `words` words of
/// a sentence: `w` (positions, d) knows positions for the longest sentence, `query` is (d, 1). Words
/// behind the last known position get no weight.
///
/// Hint: what do the weights of a sentence of one word sum to?
pub fn location(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    todo!("find the bug, then remove this line");
    let scores = w * query;
    let largest = scores.max();
    let exponentials = scores.map(|score| (score - largest).exp());
    let sum = exponentials.sum();
    let known = words.min(w.nrows());
    let weight = |s: usize| if s < known { exponentials[s] / sum } else { 0.0 };
    (0..words).map(weight).collect()
}
