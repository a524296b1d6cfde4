//! An example small enough for pencil and paper.

use shared::{Float, elementwise};

/// What a wish should cost: q·k/√2 for melon, radish, apple; their shares; the mean price in these.
#[allow(missing_docs)]
pub struct Example {
    pub scores: [Float; 3],
    pub weights: [Float; 3],
    pub context: Float,
}

/// Keys say how sweet and how crisp something is; values are prices.
pub fn example() -> Example {
    let query: [Float; 2] = [2.0, 1.0]; // sweet, and a little crisp
    let (keys, prices) = ([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [4.0, 1.0, 3.0]);
    let scores = keys.map(|key: [Float; 2]| elementwise::dot(&query, &key) / Float::sqrt(2.0));
    let mut weights = scores;
    elementwise::softmax(&mut weights);
    Example { scores, weights, context: elementwise::dot(&weights, &prices) }
}
