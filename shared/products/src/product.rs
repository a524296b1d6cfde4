//! The one product: every product of the course, in formulas and in their gradients, goes through it.

use crate::kernel::{filled, kernel};
use crate::matrix::{Float, Matrix, Operand, Target, assert_product};

/// General matrix product: `dst = beta·dst + alpha·a·b`, the BLAS operation of that name.
///
/// `a` (m, k), `b` (k, n), `dst` (m, n), each with any strides; with `beta` zero, `dst` is written
/// without being read. One thread: the course parallelises over independent pieces of work (shards
/// of a batch, heads, blocks of queries), where it was measured to pay.
///
/// ```
/// use products::{Matrix, gemm};
/// let (a, b) = (Matrix::identity(2, 2), Matrix::from_element(2, 3, 5.0));
/// let mut sum = Matrix::from_element(2, 3, 1.0);
/// gemm(1.0, &mut sum, 2.0, &a, &b);
/// assert_eq!(sum, Matrix::from_element(2, 3, 11.0));
/// ```
///
/// # Panics
/// When the shapes do not fit; the message prints all three.
pub fn gemm(beta: Float, dst: &mut impl Target, alpha: Float, a: &impl Operand, b: &impl Operand) {
    let (a, b, mut dst) = (a.whole(), b.whole(), dst.whole_mut());
    assert_product(&a, &b, dst.shape());
    // SAFETY: the three pointers cover the shapes asserted above with their own strides, and `dst`
    // is borrowed exclusively.
    unsafe { kernel(beta, dst.as_mut_ptr(), dst.strides(), alpha, &a, &b) }
}

/// The product `a·b` as a new matrix: `a` (m, k), `b` (k, n) → (m, n).
///
/// # Panics
/// When the inner sizes differ.
pub fn product(a: &impl Operand, b: &impl Operand) -> Matrix {
    let (a, b) = (a.whole(), b.whole());
    assert!(
        a.ncols() == b.nrows(),
        "product of {:?} and {:?}: the inner sizes must agree",
        a.shape(),
        b.shape()
    );
    let (rows, columns) = (a.nrows(), b.ncols());
    // SAFETY: the kernel writes every value, and reads none, as beta is zero.
    unsafe { filled(rows, columns, |dst| kernel(0.0, dst, (1, rows), 1.0, &a, &b)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| (i * 7 + j * 3) as Float % 5.0 - 2.0)
    }

    #[test]
    fn products_of_transposes_and_blocks_equal_nalgebra() {
        let (a, b) = (counting(6, 4), counting(6, 5));
        assert_eq!(product(&a.t(), &b), a.transpose() * &b);
        assert_eq!(product(&a, &b.columns(1, 4).rows(0, 4)), &a * b.columns(1, 4).rows(0, 4));
        assert_eq!(
            product(&a.rows(1, 3), &a.rows(2, 3).t()),
            a.rows(1, 3) * a.rows(2, 3).transpose()
        );
    }

    #[test]
    fn a_product_over_nothing_is_zero() {
        assert_eq!(product(&Matrix::zeros(2, 0), &Matrix::zeros(0, 3)), Matrix::zeros(2, 3));
        assert_eq!(product(&Matrix::zeros(0, 2), &Matrix::zeros(2, 3)).shape(), (0, 3));
    }

    #[test]
    fn a_block_of_a_larger_matrix_is_written_alone() {
        let mut whole = Matrix::zeros(4, 4);
        gemm(
            0.0,
            &mut whole.view_mut((1, 1), (2, 2)),
            1.0,
            &Matrix::identity(2, 2),
            &Matrix::from_element(2, 2, 3.0),
        );
        assert_eq!(whole.sum(), 12.0);
        assert_eq!(whole.view((1, 1), (2, 2)).sum(), 12.0);
    }

    #[test]
    fn with_beta_zero_what_was_there_does_not_matter() {
        let mut dst = Matrix::from_element(2, 2, Float::NAN);
        gemm(0.0, &mut dst, 1.0, &Matrix::identity(2, 2), &Matrix::identity(2, 2));
        assert_eq!(dst, Matrix::identity(2, 2));
    }

    #[test]
    #[should_panic(expected = "product of (2, 3) and (2, 3)")]
    fn shapes_that_do_not_fit_are_printed() {
        product(&counting(2, 3), &counting(2, 3));
    }
}
