//! Uneven matrices, and what checks of several exercises need.

use shared::{Matrix, Operand, elementwise, product};

/// Uneven numbers in −2 … 2, no two columns alike.
pub fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 2.0 * (1.7 * i as f32 + 2.9 * j as f32 + phase).sin())
}

/// `KᵀQ/√d`.
pub fn scores(q: &Matrix, k: &Matrix) -> Matrix {
    product(&k.t(), q) / (q.nrows() as f32).sqrt()
}

pub fn softmax(mut scores: Matrix) -> Matrix {
    elementwise::softmax_columns(&mut scores);
    scores
}

/// Nothing equals NaN, so `or_hint` cannot recognise it: the hint for an undefined entry.
#[track_caller]
pub fn finite(found: &Matrix, call: &str, hint: &str) {
    assert!(
        found.iter().all(|x| x.is_finite()),
        "{call} has entries that are not finite{found}hint: {hint}"
    );
}
