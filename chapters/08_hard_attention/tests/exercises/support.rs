//! What several exercises need: four places, and expectations over them.

use shared::Vector;

/// Uneven scores, and their softmax.
pub fn scores() -> Vector {
    Vector::from_column_slice(&[0.3, -1.2, 1.1, 0.2])
}

pub fn alpha() -> Vector {
    softmax(&scores())
}

pub fn losses() -> Vector {
    Vector::from_column_slice(&[0.4, 2.0, 1.1, 3.2])
}

/// The gradient of the expected loss: `αⱼ(ℓⱼ − J)`.
pub fn exact() -> Vector {
    let (alpha, losses) = (alpha(), losses());
    let expected = alpha.dot(&losses);
    alpha.zip_map(&losses, |a, l| a * (l - expected))
}

/// The mean over all places, each with its probability.
pub fn expectation(alpha: &Vector, of: impl Fn(usize) -> Vector) -> Vector {
    (0..alpha.len()).fold(alpha * 0.0, |sum, s| sum + of(s) * alpha[s])
}

pub fn softmax(scores: &Vector) -> Vector {
    softmax_less(scores.max(), scores)
}

/// A softmax that subtracts this before it exponentiates, right for the largest score.
pub fn softmax_less(shift: f32, scores: &Vector) -> Vector {
    let exponentials = scores.map(|s| (s - shift).exp());
    &exponentials / exponentials.sum()
}
