//! What several exercises need: four places, and expectations over them.

use shared::Vector;
use tests::expect;

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

/// The gradient of the expected loss: `αᵢ(ℓᵢ − J)`.
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

/// The mean of `(ℓ − b)(e_s − α)`.
pub fn estimate(alpha: &Vector, places: &[usize], losses: &[f32], baseline: f32) -> Vector {
    let mut gradient = alpha * 0.0;
    for (&place, &loss) in places.iter().zip(losses) {
        let mut score = -alpha.clone();
        score[place] += 1.0;
        gradient += score * (loss - baseline);
    }
    gradient / places.len() as f32
}

/// Exercises 8.6 and 8.7: gradient from alpha, places and their losses.
pub type Looks = fn(&Vector, &[usize], &[f32]) -> Vector;

/// Wrong: the baseline of a look contains its own loss.
pub fn mean_of_all(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    estimate(alpha, places, losses, losses.iter().sum::<f32>() / losses.len() as f32)
}

/// Two and three looks: the mean over all their outcomes, and the value itself.
pub fn check_looks(name: &str, attempt: Looks) {
    let (alpha, losses) = (alpha(), losses());
    let of = |places: &[usize]| {
        let losses: Vec<f32> = places.iter().map(|s| losses[*s]).collect();
        attempt(&alpha, places, &losses)
    };
    let pairs = expectation(&alpha, |s| expectation(&alpha, |r| of(&[s, r])));
    expect(pairs, exact(), 1e-5)
        .of(format!("the mean of {name} over all outcomes of two looks, which should be the gradient"))
        .or_hint(
            exact() * 0.5,
            "half of what it should be: each look's baseline contains its own loss, so it is no constant \
             for that look",
        )
        .check();
    let triples =
        expectation(&alpha, |s| expectation(&alpha, |r| expectation(&alpha, |t| of(&[s, r, t]))));
    expect(triples, exact(), 1e-5)
        .of(format!("the mean of {name} over all outcomes of three looks"))
        .or_hint(exact() * (2.0 / 3.0), "two thirds of what it should be: own loss")
        .check();
    // Looks that cost the same tell nothing.
    let found = attempt(&alpha, &[2, 0, 1], &[5.0, 5.0, 5.0]);
    assert!(
        found.amax() < 1e-5,
        "{name} of three looks that cost 5 each is {found}all went as expected: a baseline that makes \
         estimates less noisy leaves nothing"
    );
    let found = attempt(&alpha, &[3, 0], &[2.0, 1.0]); // ½·(e₃ − α)(2 − 1) + ½·(e₀ − α)(1 − 2)
    expect(found, [-0.5, 0.0, 0.0, 0.5], 1e-5).of(format!("{name}(alpha, [3, 0], [2, 1])")).check();
}
