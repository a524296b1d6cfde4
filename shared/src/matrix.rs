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

use crate::arithmetic::count_product;
use crate::{Precision, bf16};
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

/// Whatever can be a factor of a product: a matrix, a vector, a block, a transpose.
pub trait Operand {
    /// The operand as it is.
    fn whole(&self) -> View<'_>;

    // ANCHOR: transpose
    /// Its transpose: the same memory read with swapped strides.
    ///
    /// ```
    /// use shared::{Matrix, Operand, product};
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

/// Whatever a product can be written to: a matrix or a block of one.
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

/// General matrix product: `dst = beta·dst + alpha·a·b`, the BLAS operation of that name.
///
/// `a` (m, k), `b` (k, n), `dst` (m, n), each with any strides; with `beta` zero, `dst` is written
/// without being read. One thread: the course parallelises over independent pieces of work (shards
/// of a batch, heads, blocks of queries), where it was measured to pay.
///
/// ```
/// use shared::{Matrix, gemm};
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

/// A new matrix, whose values `write` writes to where it is told, column after column.
///
/// # Safety
/// `write` must write all of them and read none.
unsafe fn filled(rows: usize, columns: usize, write: impl FnOnce(*mut Float)) -> Matrix {
    let mut values: Vec<Float> = Vec::with_capacity(rows * columns);
    write(values.as_mut_ptr());
    // SAFETY: the caller vouches that every one of the reserved values is written now.
    unsafe { values.set_len(rows * columns) };
    Matrix::from_vec(rows, columns, values)
}

/// The one place where all products pass: the kernel of the `gemm` crates, or that for
/// [`crate::Precision::Bf16`].
///
/// # Safety
/// `dst` must be valid for writes – and, unless `beta` is zero, for reads – of `a.nrows() ×
/// b.ncols()` values at `strides` (row, column).
unsafe fn kernel(
    beta: Float,
    dst: *mut Float,
    strides: (usize, usize),
    alpha: Float,
    a: &View,
    b: &View,
) {
    let ((m, k), n) = (a.shape(), b.ncols());
    count_product(m, k, n);
    #[cfg(feature = "ladder")]
    // SAFETY: the caller vouches for `dst`.
    if unsafe { crate::Products::current().multiply(beta, dst, strides, alpha, a, b) } {
        return;
    }
    if bf16::is_worth(m, k, n) && Precision::current() == Precision::Bf16 {
        // SAFETY: the caller vouches for `dst`; no shape of so many multiplications is empty; the switch
        // is only set where the processor has the instructions.
        return unsafe { bf16::kernel(beta, dst, strides, alpha, a, b) };
    }
    // SAFETY: the caller vouches for `dst`.
    unsafe { in_order(beta, dst, strides, alpha, a, b) }
}

/// Rows from which on a transposed left factor counts as tall, …
const TALL: usize = 1024;
/// … if there are more than so many for every column of the right one.
const STEEP: usize = 16;
/// Numbers from which on a transposed left factor counts as large.
const LARGE: usize = 1 << 16;
/// Bytes from one row or column to the next, or a multiple of them, that crowd what is read or written
/// across into few places of the cache.
const CROWDED: usize = 2048;

/// The kernel reads the left factor by columns and copies one that lies by rows, a transpose. Where that
/// is dear, another way to the same sums is taken (`cargo bench -p benches --bench products -- narrow`).
///
/// # Safety
/// As for [`kernel`].
unsafe fn in_order(
    beta: Float,
    dst: *mut Float,
    strides: (usize, usize),
    alpha: Float,
    a: &View,
    b: &View,
) {
    let ((m, k), n) = (a.shape(), b.ncols());
    let ((a_rows, a_columns), b_rows) = (a.strides(), b.strides().0);
    let is_crowded = |stride: usize| (stride * size_of::<Float>()).is_multiple_of(CROWDED);
    if a_columns == 1 && n > 1 {
        // The vectors of all words beside the tokens of one step: compute the transpose, `dstᵀ = bᵀ·aᵀ`,
        // so that the kernel copies the small factor.
        let is_tall = m >= TALL && m > STEEP * n;
        if is_tall && b_rows == 1 && !is_crowded(strides.1) {
            // SAFETY: `dst` with its strides swapped is the transpose of what the caller vouches for.
            return unsafe { call(beta, dst, (strides.1, strides.0), alpha, &b.t(), &a.t()) };
        }
        // Few columns, so that the result is smaller than `a`: the transpose once more, in memory of its
        // own, and what is copied is the result (and what it is added to).
        let is_narrow = 2 * n <= k && m * k >= LARGE && (n >= SQUARE || is_tall);
        if is_narrow && b_rows == 1 {
            let copy = by_columns(&b.t());
            // SAFETY: `dst` is what the caller vouches for, to be read where `beta` is not zero; `call`
            // writes all `n × m` values, and reads them only where `turn` has written them.
            return unsafe {
                let transpose = filled(n, m, |transpose| {
                    if beta != 0.0 {
                        turn(&transposed(dst, (m, n), strides), transpose, (1, n));
                    }
                    call(beta, transpose, (1, n), alpha, &copy.whole(), &a.t());
                });
                turn(&transpose.t(), dst, strides)
            };
        }
        // Rows so far apart that the kernel's copy would fetch most of them from memory, number by
        // number (a fifth to a third of the time of a gradient at width 512).
        if is_crowded(a_rows) && n >= SQUARE {
            // SAFETY: as the caller vouches.
            return unsafe { call(beta, dst, strides, alpha, &by_columns(a).whole(), b) };
        }
    }
    // SAFETY: as the caller vouches.
    unsafe { call(beta, dst, strides, alpha, a, b) }
}

/// The transpose of a matrix of that shape at `values`.
///
/// # Safety
/// `values` must be valid for reads of as many values at `strides` (row, column), as long as the view is
/// used.
unsafe fn transposed<'a>(
    values: *const Float,
    (m, n): (usize, usize),
    strides: (usize, usize),
) -> View<'a> {
    let (shape, strides) = ((Dyn(n), Dyn(m)), (Dyn(strides.1), Dyn(strides.0)));
    // SAFETY: the caller vouches for them.
    View::from_data(unsafe { ViewStorage::from_raw_parts(values, shape, strides) })
}

/// Rows and columns that are copied at a time.
const SQUARE: usize = 8;

/// A copy that lies by columns of one that lies by rows.
fn by_columns(a: &View) -> Matrix {
    let (m, n) = a.shape();
    // SAFETY: `turn` writes as many values as `a` has.
    unsafe { filled(m, n, |dst| turn(a, dst, (1, m))) }
}

/// Copies `a`, which lies by rows, to where it shall lie by columns, square by square: what is
/// fetched for one number is still there for its neighbours.
///
/// # Safety
/// `dst` must be valid for writes of as many values as `a` has, at `strides` (row, column).
unsafe fn turn(a: &View, dst: *mut Float, strides: (usize, usize)) {
    let (m, n) = a.shape();
    for j in (0..n).step_by(SQUARE) {
        for i in (0..m).step_by(SQUARE) {
            for column in j..n.min(j + SQUARE) {
                for row in i..m.min(i + SQUARE) {
                    // SAFETY: row and column are among those of `a`, for which the caller vouches.
                    unsafe {
                        let to = dst.add(row * strides.0 + column * strides.1);
                        *to = *a.get_unchecked((row, column));
                    }
                }
            }
        }
    }
}

/// The call itself.
///
/// # Safety
/// As for [`kernel`].
unsafe fn call(
    beta: Float,
    dst: *mut Float,
    strides: (usize, usize),
    alpha: Float,
    a: &View,
    b: &View,
) {
    #[cfg(not(feature = "f64"))]
    use gemm_f32::gemm::f32::get_gemm_fn;
    #[cfg(feature = "f64")]
    use gemm_f64::gemm::f64::get_gemm_fn;

    let ((m, k), n) = (a.shape(), b.ncols());
    let ((a_rows, a_columns), (b_rows, b_columns)) = (a.strides(), b.strides());
    // The crates name the factors the other way round from BLAS (their alpha scales dst) and take
    // column strides before row strides.
    unsafe {
        get_gemm_fn()(
            m,
            n,
            k,
            dst,
            strides.1 as isize,
            strides.0 as isize,
            beta != 0.0,
            a.as_ptr(),
            a_columns as isize,
            a_rows as isize,
            b.as_ptr(),
            b_columns as isize,
            b_rows as isize,
            beta,
            alpha,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
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

/// Both shapes in one message, for operations that need them equal.
#[track_caller]
pub(crate) fn assert_same_shape(operation: &str, a: &Matrix, b: &Matrix) {
    assert!(
        a.shape() == b.shape(),
        "{operation} of {:?} and {:?}: the shapes must be equal",
        a.shape(),
        b.shape()
    );
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
    fn a_tall_transposed_factor_gives_the_numbers_of_its_copy() {
        let (a, b) = (counting(7, TALL + 1), counting(7, 3));
        assert_eq!(product(&a.t(), &b), product(&a.transpose(), &b)); // whole numbers: exact
        let mut sum = counting(TALL + 1, 3);
        gemm(2.0, &mut sum, 3.0, &a.t(), &b);
        assert_eq!(sum, counting(TALL + 1, 3) * 2.0 + product(&a.transpose(), &b) * 3.0);
    }

    fn noise(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| (1.0 + (i * 31 + j * 17) as Float).sin())
    }

    /// Rows 2048 bytes apart: copied beforehand, with the bits of the kernel's own copy.
    #[test]
    fn a_crowded_transposed_factor_gives_the_numbers_of_its_copy() {
        const WIDTH: usize = CROWDED / size_of::<Float>();
        for (m, n) in [(20, SQUARE), (33, 40), (33, WIDTH / 2 + 1), (TALL + 1, 2)] {
            let (a, b) = (noise(WIDTH, m), noise(WIDTH, n));
            assert_eq!(product(&a.t(), &b), product(&a.transpose(), &b), "{m} × {n}");
        }
    }

    /// Every way that [`in_order`] knows, into a matrix and into a block of one: the same sums in the same
    /// order, hence the same bits.
    #[test]
    fn a_transposed_factor_beside_few_columns_gives_the_numbers_of_its_copy() {
        let crowded = 3 * CROWDED / 4; // rows of a result whose columns lie 6 KiB apart
        for (m, k, n) in [
            (40, 70, SQUARE),       // small: as it is
            (130, 512, 31),         // narrow
            (37, 3072, 16),         // narrow, in several blocks of what is added up
            (130, 512, SQUARE - 1), // neither narrow nor tall
            (1100, 8, SQUARE),      // tall
            (crowded, 64, 4),       // tall, but crowded: narrow
            (crowded, 8, SQUARE),   // tall, but crowded, and too wide to be narrow
        ] {
            let (a, b) = (noise(k, m), noise(k, n));
            assert_eq!(product(&a.t(), &b), product(&a.transpose(), &b), "{m} × {k} × {n}");
            let [mut sum, mut expected] = [(); 2].map(|()| noise(m, n));
            gemm(0.7, &mut sum, -1.3, &a.t(), &b);
            gemm(0.7, &mut expected, -1.3, &a.transpose(), &b);
            assert_eq!(sum, expected, "added to: {m} × {k} × {n}");
            for extra in [0, 3] {
                let (a, b) = (counting(k, m), counting(k, n)); // whole numbers: exact
                let expected = product(&a.transpose(), &b);
                assert_eq!(product(&a.t(), &b), expected, "{m} × {k} × {n}");
                let mut block = Matrix::from_element(m + extra, n + extra, 7.0);
                gemm(0.0, &mut block.view_mut((0, 0), (m, n)), 2.0, &a.t(), &b);
                assert_eq!(block.view((0, 0), (m, n)), 2.0 * &expected, "{m} × {k} × {n}");
                gemm(1.0, &mut block.view_mut((0, 0), (m, n)), -2.0, &a.t(), &b);
                assert_eq!(block.view((0, 0), (m, n)).amax(), 0.0, "{m} × {k} × {n}");
                let outside = block.sum() - 7.0 * ((m + extra) * (n + extra) - m * n) as Float;
                assert_eq!(outside, 0.0, "{m} × {k} × {n}");
                // A right factor that is a transpose as well.
                assert_eq!(product(&a.t(), &b.transpose().t()), expected, "{m} × {k} × {n}");
            }
        }
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
