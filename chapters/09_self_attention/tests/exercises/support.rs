//! What checks of several exercises need.

use shared::{Matrix, Operand, elementwise, product};

/// `KᵀQ/√d`.
pub fn scores(q: &Matrix, k: &Matrix) -> Matrix {
    product(&k.t(), q) / (q.nrows() as f32).sqrt()
}

pub fn softmax(mut scores: Matrix) -> Matrix {
    elementwise::softmax_columns(&mut scores);
    scores
}
