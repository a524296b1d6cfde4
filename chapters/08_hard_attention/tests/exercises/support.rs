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
    let max = scores.max();
    let exponentials = scores.map(|s| (s - max).exp());
    &exponentials / exponentials.sum()
}

/// The mean of `(ℓ − b)(1_z − α)`.
pub fn estimate(alpha: &Vector, places: &[usize], losses: &[f32], baseline: f32) -> Vector {
    let mut gradient = alpha * 0.0;
    for (&place, &loss) in places.iter().zip(losses) {
        let mut score = -alpha.clone();
        score[place] += 1.0;
        gradient += score * (loss - baseline);
    }
    gradient / places.len() as f32
}
