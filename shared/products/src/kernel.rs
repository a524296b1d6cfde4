//! What computes a product: the kernels of the `gemm` crates, and what is done for factors that these
//! copy dearly.

use crate::arithmetic::count_product;
use crate::backend::Backend;
use crate::bf16;
#[cfg(feature = "ladder")]
use crate::ladder::Products;
use crate::matrix::{Float, Matrix, Operand, View};
use crate::precision::Precision;
use nalgebra::{Dyn, ViewStorage};

/// A new matrix, whose values `write` writes to where it should, column after column.
///
/// # Safety
/// `write` must write all of them and read none.
pub(crate) unsafe fn filled(rows: usize, columns: usize, write: impl FnOnce(*mut Float)) -> Matrix {
    let mut values: Vec<Float> = Vec::with_capacity(rows * columns);
    write(values.as_mut_ptr());
    // SAFETY: the caller vouches that every one of the reserved values is written now.
    unsafe { values.set_len(rows * columns) };
    Matrix::from_vec(rows, columns, values)
}

/// The one place where all products pass: the kernel of the `gemm` crates, or that for
/// rounded factors.
///
/// # Safety
/// `dst` must be valid for writes – and, unless `beta` is zero, for reads – of `a.nrows() ×
/// b.ncols()` values at `strides` (row, column).
pub(crate) unsafe fn kernel(
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
    if unsafe { Products::current().multiply(beta, dst, strides, alpha, a, b) } {
        return;
    }
    let precision = if bf16::is_worth(m, k, n) { Precision::current() } else { Precision::F32 };
    // SAFETY: the caller vouches for `dst`; no shape that is worth rounding is empty; the switch is only
    // set where the processor has the instructions.
    unsafe {
        match precision {
            Precision::F32 => in_order(beta, dst, strides, alpha, a, b),
            Precision::Bf16 => bf16::rounded(Backend::current(), beta, dst, strides, alpha, a, b),
            Precision::Bf16x3 => bf16::split(Backend::current(), beta, dst, strides, alpha, a, b),
        }
    }
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
pub(crate) unsafe fn in_order(
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
    // SAFETY: the views are valid for reads of these shapes at these strides; the caller vouches for `dst`,
    // which is read only where `beta` is not zero.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::{gemm, product};

    fn counting(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| (i * 7 + j * 3) as Float % 5.0 - 2.0)
    }

    fn noise(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| (1.0 + (i * 31 + j * 17) as Float).sin())
    }

    #[test]
    fn a_tall_transposed_factor_gives_the_numbers_of_its_copy() {
        let (a, b) = (counting(7, TALL + 1), counting(7, 3));
        assert_eq!(product(&a.t(), &b), product(&a.transpose(), &b)); // whole numbers: exact
        let mut sum = counting(TALL + 1, 3);
        gemm(2.0, &mut sum, 3.0, &a.t(), &b);
        assert_eq!(sum, counting(TALL + 1, 3) * 2.0 + product(&a.transpose(), &b) * 3.0);
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
}
