//! The points that the page smooths: a curve that is known, seen through noise.

use rand::RngExt;
use rand_distr::{Distribution, Normal};
use shared::{Float, Rng};

// ANCHOR: data
/// The curve behind the points.
pub fn truth(x: Float) -> Float {
    2.0 * x.sin() + x.powf(0.8)
}

/// `n` noisy points of the curve: x uniform on [0, 5] and sorted, y = f(x) + ε with ε ~ N(0, ½²).
pub fn noisy_points(n: usize, rng: &mut Rng) -> (Vec<Float>, Vec<Float>) {
    let mut x: Vec<Float> = (0..n).map(|_| rng.random_range(0.0..5.0)).collect();
    x.sort_by(Float::total_cmp);
    let noise = Normal::new(0.0, NOISE).expect("a standard deviation is positive");
    let y = x.iter().map(|x| truth(*x) + noise.sample(rng)).collect();
    (x, y)
}
// ANCHOR_END: data

/// Standard deviation of the noise.
pub const NOISE: Float = 0.5;
