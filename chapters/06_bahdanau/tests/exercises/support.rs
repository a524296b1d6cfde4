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

pub fn softmax(e: Vector) -> Vector {
    shifted(e, Vector::max)
}

/// A softmax that subtracts `of(e)` before it exponentiates.
pub fn shifted(e: Vector, of: fn(&Vector) -> f32) -> Vector {
    let shift = of(&e);
    let e = e.map(|e| (e - shift).exp());
    let sum = e.sum();
    e / sum
}
