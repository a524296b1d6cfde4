//! An example small enough for pencil and paper.

use nalgebra::Vector2;
use serde::{Deserialize, Serialize};
use shared::{Float, elementwise};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// q·k for melon, radish, apple.
    pub dots: [Float; 3],
    /// The same divided by √2.
    pub scores: [Float; 3],
    pub weights: [Float; 3],
    pub context: Float,
}

/// Keys say how sweet and how crisp something is; values are prices.
pub fn example() -> Example {
    let query = Vector2::new(2.0, 1.0); // sweet, and a little crisp
    let keys: [Vector2<Float>; 3] =
        [Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0), Vector2::new(1.0, 1.0)];
    let prices = [4.0, 1.0, 3.0];
    let dots = keys.map(|key| query.dot(&key));
    let scores = dots.map(|dot| dot / Float::sqrt(2.0));
    let mut weights = scores;
    elementwise::softmax(&mut weights);
    Example { dots, scores, weights, context: elementwise::dot(&weights, &prices) }
}
