//! The exercises of chapter 7. Replace a `todo!()`, then run
//! `cargo test -p luong --test exercises`.
#![allow(unused_variables, unreachable_code)] // until all are solved

use shared::{Float, Matrix, Vector};
use std::ops::Range;

/// **7.1 a window and its borders – difficulty ●○○, about 10 minutes**
///
/// The positions j of a sentence of `words` words (0, 1, … words − 1) with |j − center| ≤ `width`.
/// The center lies between 0 and `words`; it need not be a whole number.
///
/// Hint: `ceil` and `floor`; cut off what lies outside the sentence; a `Range` ends before its end.
pub fn window(center: Float, width: usize, words: usize) -> Range<usize> {
    todo!()
}

/// **7.2 general scores, all at once – difficulty ●○○, about 10 minutes**
///
/// Entry (j, i) is `s_iᵀ W h_j`, the score of key j against query i. `queries` (d, n), `w` (d, k),
/// `keys` (k, m) → (m, n), in two products.
///
/// Hint: first what depends on the keys alone.
pub fn general_scores(queries: &Matrix, w: &Matrix, keys: &Matrix) -> Matrix {
    todo!()
}

/// **7.3 the gradient of the position – difficulty ●●○, about 20 minutes**
///
/// With `y_j = α_j exp(−(j − p)²/2σ²)` for the positions j = 0, 1, …, and `dy` the gradient of a
/// loss with respect to y: its derivative with respect to p. `alpha` and `dy` are equally long.
///
/// Hint: differentiate the exponent. Which way does p move when a word after it helps?
pub fn position_gradient(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    todo!()
}

/// **7.4 what input feeding costs – difficulty ●○○, about 10 minutes**
///
/// The parameters of a decoder of `layers` gated recurrent layers with `hidden` units, which reads
/// vectors of `embedding` entries – and, with `feeding`, s̃ beside them. A layer with i inputs and h
/// units has three gates, each with a matrix (h, i), a matrix (h, h) and two biases of h.
///
/// Hint: Luong et al. give the input sizes in their footnote 11. s̃ is as long as a state.
pub fn decoder_parameters(embedding: usize, hidden: usize, layers: usize, feeding: bool) -> usize {
    todo!()
}

/// **7.5 spot the bug: weights that forget where they should look – difficulty ●●○, about 15 minutes**
///
/// The weights of local-p: a softmax of the `scores` at the positions of `window`, each times its
/// `exp(−(j − p)²/2σ²)`, σ = `width`/2 (Luong et al. 2015, equation 10). `scores` has an entry for
/// every word of the sentence, the result one for every word of the window.
///
/// Hint: how large is the context when p lies between two words, or the window holds one word?
pub fn local_p(scores: &[Float], p: Float, width: usize, window: Range<usize>) -> Vec<Float> {
    todo!("find the bug, then remove this line");
    let sigma = width as Float / 2.0;
    let largest = scores[window.clone()].iter().copied().fold(Float::MIN, Float::max);
    let weight = |j: usize| {
        let distance = j as Float - p;
        (scores[j] - largest).exp() * (-distance * distance / (2.0 * sigma * sigma)).exp()
    };
    let sum: Float = window.clone().map(weight).sum();
    window.map(|j| weight(j) / sum).collect()
}

/// **7.6 spot the bug: location in a short sentence – difficulty ●○○, about 10 minutes**
///
/// The weights of location-based attention (Luong et al. 2015, equation 8) on the `words` words of
/// a sentence: `w` (positions, d) knows positions for the longest sentence, `query` is (d, 1). Words
/// after the last known position get no weight.
///
/// Hint: what do the weights of a sentence of one word sum to?
pub fn location(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    todo!("find the bug, then remove this line");
    let scores = w * query;
    let largest = scores.max();
    let exponentials = scores.map(|score| (score - largest).exp());
    let sum = exponentials.sum();
    let known = words.min(w.nrows());
    (0..words).map(|j| if j < known { exponentials[j] / sum } else { 0.0 }).collect()
}

/// **7.7 the attentional state and its gradients – difficulty ●●○, about 20 minutes**
///
/// `s̃ = tanh(W [c; s])` of a context `c` (k) and a state `s` (d), with `w` (a, k + d); and, given `dy`
/// (a), the gradient of a loss with respect to s̃, its gradients with respect to W, c and s, in this
/// order after s̃.
///
/// Hint: tanh′ is 1 − tanh². The rest is a product, and a vector that is cut in two.
pub fn attentional(
    w: &Matrix,
    c: &Vector,
    s: &Vector,
    dy: &Vector,
) -> (Vector, Matrix, Vector, Vector) {
    todo!()
}

/// **7.8 a diagonal without words – difficulty ●●○, about 15 minutes**
///
/// Nothing is trained here: choose the weights by hand. A location score reads no word, its scores are
/// `W_a s`, and of a sentence of m words the first m count. The state before word i (counted from 0) is
/// `s = (i, 1)`. Return `W_a` (10, 2) with which the softmax puts more than 0.9 on word j = i, for every
/// i < m, in sentences of m = 1 … 10 words.
///
/// Hint: a score that is largest at j = i and falls on both sides is −(j − i)². Multiply it out: which of
/// its parts do all words share?
pub fn diagonal() -> Matrix {
    todo!()
}

/// **7.9 two things at once – difficulty ●●○, about 15 minutes**
///
/// In the page's table input feeding has a price: with general scores the word vectors shrink from 89 to
/// 70 entries to pay for it. So two rows that differ by input feeding differ by their vectors, too.
///
/// A laboratory trains what you ask for: `lab(feeding, entries)` is the mean BLEU of a model with or
/// without input feeding and with word vectors of so many entries, which need not be equally large. A run
/// costs an hour; you have four. Return three numbers: what feeding alone changes while the vectors have
/// 89 entries; what the narrower vectors alone change without feeding; and by how much both together
/// change more than the sum of the two (0 when each does its part whatever the other does).
///
/// Hint: which corners has the square {with, without} × {89, 70}?
pub fn apart(lab: &dyn Fn(bool, usize) -> f64) -> [f64; 3] {
    todo!()
}

// **7.10 capstone: your window moves along – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 7.1, 7.2, 7.3, 7.5 and 7.7 are solved, the check builds a
// translator of your functions: the state asks after its step, `general_scores` compares, `window` and
// `local_p` look around a predicted position, `position_gradient` teaches where that is, and `attentional`
// makes of context and state what the next word is read from. It learns a language of a dozen words with
// two nouns a sentence, and has to translate sentences that it has not seen.
//
// `cargo test -p luong --test exercises 7.10` prints how it does beside ours.
