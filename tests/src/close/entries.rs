//! Values that can be compared.

use std::sync::Arc;

use nalgebra::{DMatrix, Dim, Matrix, RawStorage, Scalar};

/// A floating-point number, `f32` or `f64`.
pub trait Real: Scalar + Copy + Into<f64> {
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
}

impl Real for f32 {
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }
}

/// Whatever has rows, columns and entries: matrices and their views, and with them vectors, slices
/// and arrays (n × 1), arrays of rows (`[[1.0, 2.0], [3.0, 4.0]]`), numbers (1 × 1), references and
/// `Arc`s to all of these.
pub trait Entries {
    /// (rows, columns)
    fn shape(&self) -> (usize, usize);

    /// The entry, exact in `f64`.
    fn entry(&self, row: usize, column: usize) -> f64;

    /// A copy in double precision.
    fn to_f64(&self) -> DMatrix<f64> {
        let (rows, columns) = self.shape();
        DMatrix::from_fn(rows, columns, |row, column| self.entry(row, column))
    }
}

impl<T: Real, R: Dim, C: Dim, S: RawStorage<T, R, C>> Entries for Matrix<T, R, C, S> {
    fn shape(&self) -> (usize, usize) {
        self.shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        self[(row, column)].into()
    }
}

impl<T: Real> Entries for [T] {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl<T: Real, const N: usize> Entries for [T; N] {
    fn shape(&self) -> (usize, usize) {
        (N, 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl<T: Real, const R: usize, const C: usize> Entries for [[T; C]; R] {
    fn shape(&self) -> (usize, usize) {
        (R, C)
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        self[row][column].into()
    }
}

impl<T: Real> Entries for Vec<T> {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }
    fn entry(&self, row: usize, _column: usize) -> f64 {
        self[row].into()
    }
}

impl Entries for f32 {
    fn shape(&self) -> (usize, usize) {
        (1, 1)
    }
    fn entry(&self, _row: usize, _column: usize) -> f64 {
        f64::from(*self)
    }
}

impl Entries for f64 {
    fn shape(&self) -> (usize, usize) {
        (1, 1)
    }
    fn entry(&self, _row: usize, _column: usize) -> f64 {
        *self
    }
}

impl<E: Entries + ?Sized> Entries for &E {
    fn shape(&self) -> (usize, usize) {
        (**self).shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        (**self).entry(row, column)
    }
}

impl<E: Entries + ?Sized> Entries for Arc<E> {
    fn shape(&self) -> (usize, usize) {
        (**self).shape()
    }
    fn entry(&self, row: usize, column: usize) -> f64 {
        (**self).entry(row, column)
    }
}
