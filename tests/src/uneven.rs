//! Inputs for checks.

use nalgebra::{DMatrix, DVector};

use crate::close::Real;

/// Numbers in −2 … 2 of both signs, no two rows and no two columns alike; another phase, other numbers.
pub fn uneven<T: Real>(rows: usize, columns: usize, phase: f64) -> DMatrix<T> {
    DMatrix::from_fn(rows, columns, |i, j| number(1.7 * i as f64 + 2.9 * j as f64 + phase))
}

/// The first column of [`uneven`].
pub fn uneven_vector<T: Real>(rows: usize, phase: f64) -> DVector<T> {
    DVector::from_fn(rows, |i, _| number(1.7 * i as f64 + phase))
}

fn number<T: Real>(angle: f64) -> T {
    T::from_f64(2.0 * angle.sin())
}
