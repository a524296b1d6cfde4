//! Uneven numbers for several checks.

use shared::{Matrix, Vector};

/// Uneven numbers in −1.2 … 1.2.
pub fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f32 + 2.1 * j as f32 + phase).sin() * 1.2)
}

pub fn column(rows: usize, phase: f32) -> Vector {
    uneven(rows, 1, phase).column(0).into_owned()
}
