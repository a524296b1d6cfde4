//! What several exercises need.

use shared::{Matrix, Vector};

/// Uneven numbers of both signs.
pub fn matrix(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.2 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
}

/// Uneven numbers of both signs.
pub fn vector(rows: usize, phase: f32) -> Vector {
    Vector::from_fn(rows, |i, _| 1.5 * (1.7 * i as f32 + phase).cos())
}

/// Every column becomes its softmax.
pub fn softmax(mut scores: Matrix) -> Matrix {
    for mut e in scores.column_iter_mut() {
        let largest = e.max();
        e.apply(|e| *e = (*e - largest).exp());
        let sum = e.sum();
        e /= sum;
    }
    scores
}

/// `(x − mean)/√(variance + ε)` of all entries together.
pub fn standardised(x: &Matrix) -> Matrix {
    let mean = x.mean();
    let variance = x.map(|x| (x - mean).powi(2)).mean();
    x.map(|x| (x - mean) / (variance + 1e-5).sqrt())
}

/// Every column by itself.
pub fn column_by_column(x: &Matrix, f: impl Fn(&Matrix) -> Matrix) -> Matrix {
    let mut y = x.clone();
    for (x, mut y) in x.column_iter().zip(y.column_iter_mut()) {
        y.copy_from(&f(&Matrix::from_column_slice(x.len(), 1, x.as_slice())));
    }
    y
}
