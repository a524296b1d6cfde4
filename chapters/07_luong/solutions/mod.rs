//! Solutions of the exercises of chapter 7.

use shared::{Float, Matrix, Operand, Vector, product};
use std::ops::Range;

/// 7.1: the first position that is not too far, and the one after the last.
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

/// 7.3: `∂y_j/∂p = y_j (j − p)/σ²`.
pub fn position_gradient(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    let shares = alpha.iter().zip(dy).enumerate().map(|(j, (alpha, dy))| {
        let r = j as Float - p;
        dy * alpha * (-r * r / (2.0 * sigma * sigma)).exp() * r / (sigma * sigma)
    });
    shares.sum()
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
    let exponential = |j: usize| (scores[j] - largest).exp();
    let sum: Float = window.clone().map(exponential).sum();
    let near = |j: usize| (-(j as Float - p).powi(2) / (2.0 * sigma * sigma)).exp();
    window.map(|j| exponential(j) / sum * near(j)).collect()
}

/// 7.6: only the positions that the sentence has take part in the softmax.
pub fn location(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    let known = words.min(w.nrows());
    let scores = w.rows(0, known) * query;
    let largest = scores.max();
    let exponentials = scores.map(|score| (score - largest).exp());
    let sum = exponentials.sum();
    (0..words).map(|j| if j < known { exponentials[j] / sum } else { 0.0 }).collect()
}

/// 7.7: `dz = dy ⊙ (1 − s̃²)`, `dW = dz [c; s]ᵀ`, and `Wᵀ dz` is the gradient of c above that of s.
pub fn attentional(
    w: &Matrix,
    c: &Vector,
    s: &Vector,
    dy: &Vector,
) -> (Vector, Matrix, Vector, Vector) {
    let both = Vector::from_iterator(c.len() + s.len(), c.iter().chain(s.iter()).copied());
    let y = (w * &both).map(Float::tanh);
    let dz = dy.zip_map(&y, |dy, y| dy * (1.0 - y * y));
    let d_both = w.tr_mul(&dz);
    let (dc, ds) =
        (d_both.rows(0, c.len()).into_owned(), d_both.rows(c.len(), s.len()).into_owned());
    (y, dz * both.transpose(), dc, ds)
}

/// 7.8: −4 (j − i)² = 8 i j − 4 j² − 4 i², and the last part is the same for all words.
pub fn diagonal() -> Matrix {
    Matrix::from_fn(10, 2, |j, column| match column {
        0 => 8.0 * j as Float,
        _ => -4.0 * (j * j) as Float,
    })
}

/// 7.9: the four corners of the square, and no fifth run.
pub fn apart(lab: &dyn Fn(bool, usize) -> f64) -> [f64; 3] {
    let [neither, feeding] = [false, true].map(|feeding| lab(feeding, 89));
    let [narrower, both] = [false, true].map(|feeding| lab(feeding, 70));
    let (of_feeding, of_vectors) = (feeding - neither, narrower - neither);
    [of_feeding, of_vectors, both - neither - of_feeding - of_vectors]
}
