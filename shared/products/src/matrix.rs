//! The matrix type of the course and its one product.
//!
//! **A column is a token.** A sequence of `n` tokens with `d` features is a `d × n` matrix; memory
//! is column-major, so a token is contiguous, a sentence is a block of columns and an attention
//! head is a block of rows – both without copying.
//!
//! Every product of the course, in formulas and in their gradients, goes through [`gemm`].
//! nalgebra's `a * b` reaches a fast kernel, but `a.tr_mul(&b)` computes one dot product at a time
//! and there is no `a * bᵀ` without a transposed copy; attention needs the first, every backward
//! pass needs both. Strides solve it: a transposed factor is the same memory with its two strides
//! swapped.

use nalgebra::{
    DMatrix, DVector, Dim, Dyn, RawStorage, RawStorageMut, ViewStorage, ViewStorageMut,
};

/// The scalar of the course: `f32`, or `f64` with the feature `f64`, which gradient checks use.
#[cfg(not(feature = "f64"))]
pub type Float = f32;
/// The scalar of the course: `f64` in this build, for gradient checks.
#[cfg(feature = "f64")]
pub type Float = f64;

/// A dense matrix; column `j` is token `j`.
pub type Matrix = DMatrix<Float>;
/// A column vector.
pub type Vector = DVector<Float>;
/// A read-only look at a matrix, a block of one, or its transpose: any strides, no copy.
pub type View<'a> = nalgebra::Matrix<Float, Dyn, Dyn, ViewStorage<'a, Float, Dyn, Dyn, Dyn, Dyn>>;
/// A writable look at a matrix or a block of one.
pub type ViewMut<'a> =
    nalgebra::Matrix<Float, Dyn, Dyn, ViewStorageMut<'a, Float, Dyn, Dyn, Dyn, Dyn>>;

/// A factor of a product: a matrix, a vector, a block, a transpose.
pub trait Operand {
    /// The operand as it is.
    fn whole(&self) -> View<'_>;

    // ANCHOR: transpose
    /// Its transpose: the same memory read with swapped strides.
    ///
    /// ```
    /// use products::{Matrix, Operand, product};
    /// let k = Matrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// assert_eq!(product(&k.t(), &k), k.transpose() * &k); // Gram matrix, (3, 3)
    /// ```
    fn t(&self) -> View<'_> {
        let view = self.whole();
        let (shape, strides) = (view.data.shape(), view.data.strides());
        // SAFETY: swapping the shape together with the strides addresses exactly the elements
        // `view` addresses, for as long as it may.
        let data = unsafe {
            ViewStorage::from_raw_parts(view.data.ptr(), (shape.1, shape.0), (strides.1, strides.0))
        };
        View::from_data(data)
    }
    // ANCHOR_END: transpose
}

impl<R: Dim, C: Dim, S: RawStorage<Float, R, C>> Operand for nalgebra::Matrix<Float, R, C, S> {
    fn whole(&self) -> View<'_> {
        let ((rows, columns), (row_stride, column_stride)) = (self.shape(), self.strides());
        let strides = (Dyn(row_stride), Dyn(column_stride));
        // SAFETY: pointer, shape and strides are those of `self`, which stays borrowed while the
        // view lives.
        let data = unsafe {
            ViewStorage::from_raw_parts(self.data.ptr(), (Dyn(rows), Dyn(columns)), strides)
        };
        View::from_data(data)
    }
}

/// A place that a product can be written to: a matrix or a block of one.
pub trait Target: Operand {
    /// The target, writable.
    fn whole_mut(&mut self) -> ViewMut<'_>;
}

impl<R: Dim, C: Dim, S: RawStorageMut<Float, R, C>> Target for nalgebra::Matrix<Float, R, C, S> {
    fn whole_mut(&mut self) -> ViewMut<'_> {
        let ((rows, columns), (row_stride, column_stride)) = (self.shape(), self.strides());
        let strides = (Dyn(row_stride), Dyn(column_stride));
        // SAFETY: as in `whole`; the exclusive borrow of `self` makes the view the only access.
        let data = unsafe {
            ViewStorageMut::from_raw_parts(self.data.ptr_mut(), (Dyn(rows), Dyn(columns)), strides)
        };
        ViewMut::from_data(data)
    }
}

/// All three shapes in one message.
#[track_caller]
pub(crate) fn assert_product(a: &View, b: &View, dst: (usize, usize)) {
    assert!(
        a.ncols() == b.nrows() && dst == (a.nrows(), b.ncols()),
        "product of {:?} and {:?} into {dst:?}: the inner sizes must agree, and the outer ones must be the target's",
        a.shape(),
        b.shape(),
    );
}
