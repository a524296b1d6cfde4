//! The introduction's desk: one query, and the keys of what lies there.

use scoring_functions::dot;
use shared::{Float, Matrix, Tape};

/// A query of two numbers, then as many keys of two → a score for each key, then a weight for each.
///
/// ```
/// let answer = live::desk(&[4.0, 0.0, /* cup */ 1.0, 0.0, /* book */ 0.0, 1.0]);
/// assert_eq!(answer[..2], [4.0, 0.0]);
/// assert!((answer[2] - 0.982).abs() < 1e-3);
/// ```
pub fn desk(numbers: &[Float]) -> Vec<Float> {
    let (query, keys) = numbers.split_at(2);
    let tape = Tape::no_grad();
    let query = tape.constant(Matrix::from_column_slice(2, 1, query));
    let keys = tape.constant(Matrix::from_column_slice(2, keys.len() / 2, keys));
    let scores = dot(query, keys); // (m, 1)
    let weights = scores.softmax(); // (m, 1)
    [scores.value().as_slice(), weights.value().as_slice()].concat()
}
