//! Products of short matrices, such as those of one head and a sentence of ten words.
//!
//! The kernel behind [`crate::gemm`] prepares every product: it looks up the sizes of the caches, asks
//! for memory, copies a factor. For a few hundred multiplications that takes longer than they do.
//! Here such products are plain loops over columns, and longer ones go to the kernel: a caller need not
//! know which.

use crate::arithmetic::count_product;
use crate::matrix::{Float, Matrix, Operand, Target, View, ViewMut, assert_product};
use crate::product as long;
use multiversion::multiversion;

/// Multiplications up to which the loops are faster.
const SHORT: usize = 1 << 12;

/// [`crate::gemm`], `dst = beta·dst + alpha·a·b`, for factors that may be short.
///
/// ```
/// use products::{Matrix, Operand, short};
/// let (a, b) = (Matrix::from_fn(3, 5, |i, j| (i + j) as products::Float), Matrix::identity(3, 3));
/// let mut c = Matrix::zeros(5, 3);
/// short::gemm(0.0, &mut c, 2.0, &a.t(), &b);
/// assert_eq!(c, a.transpose() * 2.0);
/// ```
///
/// # Panics
/// As there.
pub fn gemm(beta: Float, dst: &mut impl Target, alpha: Float, a: &impl Operand, b: &impl Operand) {
    let (a, b, mut to) = (a.whole(), b.whole(), dst.whole_mut());
    let ((m, k), n) = (a.shape(), b.ncols());
    if m * k * n > SHORT || to.strides().0 != 1 {
        return long::gemm(beta, &mut to, alpha, &a, &b);
    }
    assert_product(&a, &b, to.shape());
    count_product(m, k, n);
    if a.strides().0 == 1 && m.is_multiple_of(LANES) {
        columns(beta, &mut to, alpha, &a, &b);
    } else {
        columns(beta, &mut to, alpha, &padded(&a).whole(), &b);
    }
}

/// The product `a·b` as a new matrix, for factors that may be short.
///
/// # Panics
/// When the inner sizes differ.
pub fn product(a: &impl Operand, b: &impl Operand) -> Matrix {
    let (a, b) = (a.whole(), b.whole());
    if a.len() * b.ncols() > SHORT {
        return long::product(&a, &b);
    }
    let mut c = Matrix::zeros(a.nrows(), b.ncols());
    gemm(0.0, &mut c, 1.0, &a, &b);
    c
}

/// Rows that are computed at a time.
const LANES: usize = 8;

/// A copy that lies by columns, with rows of zeros that complete the lanes.
fn padded(a: &View) -> Matrix {
    let mut copy = Matrix::zeros(a.nrows().next_multiple_of(LANES), a.ncols());
    copy.rows_mut(0, a.nrows()).copy_from(a);
    copy
}

/// `dst_j = beta·dst_j + alpha·Σ_p b_pj·a_p` for every column, four at a time. `a` may have more rows
/// than `dst`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn columns(beta: Float, dst: &mut ViewMut, alpha: Float, a: &View, b: &View) {
    let fours = b.ncols() / 4 * 4;
    for first in (0..a.nrows()).step_by(LANES) {
        for j in (0..fours).step_by(4) {
            write(beta, dst, alpha, first, j, sums::<4>(a, b, first, j));
        }
        for j in fours..b.ncols() {
            write(beta, dst, alpha, first, j, sums::<1>(a, b, first, j));
        }
    }
}

/// `Σ_p b_pj·a_p` for `N` columns from column `j` on and the rows from row `first` on. The sums stay
/// in registers, and several columns at a time need not wait for one another.
#[inline(always)]
fn sums<const N: usize>(a: &View, b: &View, first: usize, j: usize) -> [[Float; LANES]; N] {
    let mut sums = [[0.0; LANES]; N];
    for p in 0..a.ncols() {
        let a_p = &column(a, p)[first..][..LANES];
        for (c, sum) in sums.iter_mut().enumerate() {
            let b_pj = b[(p, j + c)];
            for (sum, a_p) in sum.iter_mut().zip(a_p) {
                *sum += b_pj * a_p;
            }
        }
    }
    sums
}

/// `dst = beta·dst + alpha·sums`, in the rows from row `first` on that there are.
#[inline(always)]
fn write<const N: usize>(
    beta: Float,
    dst: &mut ViewMut,
    alpha: Float,
    first: usize,
    j: usize,
    sums: [[Float; LANES]; N],
) {
    for (c, sum) in sums.iter().enumerate() {
        for (dst, sum) in column_mut(dst, j + c)[first..].iter_mut().zip(sum) {
            *dst = if beta == 0.0 { alpha * sum } else { beta * *dst + alpha * sum };
        }
    }
}

/// Column `j` of a view with contiguous columns.
#[inline(always)]
fn column<'a>(x: &'a View, j: usize) -> &'a [Float] {
    assert!(x.strides().0 == 1 && j < x.ncols());
    // SAFETY: the entries of a column follow one another, `j` strides after those of the first, and
    // `x` borrows them.
    unsafe { std::slice::from_raw_parts(x.as_ptr().add(j * x.strides().1), x.nrows()) }
}

/// The same, writable.
#[inline(always)]
fn column_mut<'a>(x: &'a mut ViewMut, j: usize) -> &'a mut [Float] {
    assert!(x.strides().0 == 1 && j < x.ncols());
    let (rows, stride) = (x.nrows(), x.strides().1);
    // SAFETY: as above, and `x` borrows them exclusively.
    unsafe { std::slice::from_raw_parts_mut(x.as_mut_ptr().add(j * stride), rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers, whose products and sums are exact.
    fn counting(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 3) % 5) as Float - 2.0)
    }

    #[test]
    fn short_products_of_any_layout_equal_the_kernels() {
        for (m, k, n) in [(8, 10, 10), (10, 8, 10), (1, 1, 1), (3, 5, 2), (17, 4, 9), (40, 40, 40)]
        {
            let (a, b) = (counting(m + 2, k), counting(k, n + 1));
            let (a, b) = (a.rows(1, m), b.columns(1, n)); // blocks of larger ones
            let (at, bt) = (a.transpose(), b.transpose());
            let expected = long::product(&a, &b);
            for c in [product(&a, &b), product(&at.t(), &b), product(&a, &bt.t())] {
                assert_eq!(c, expected, "{m} {k} {n}");
            }
            let (mut whole, mut other) = (counting(m + 1, n), counting(m + 1, n));
            gemm(2.0, &mut whole.rows_mut(1, m), 3.0, &at.t(), &b);
            long::gemm(2.0, &mut other.rows_mut(1, m), 3.0, &a, &b);
            assert_eq!(whole, other, "{m} {k} {n}");
        }
    }

    #[test]
    fn nothing_is_read_where_beta_is_zero_and_over_nothing_the_sum_is_zero() {
        let mut c = Matrix::from_element(2, 3, Float::NAN);
        gemm(0.0, &mut c, 1.0, &Matrix::zeros(2, 0), &Matrix::zeros(0, 3));
        assert_eq!(c, Matrix::zeros(2, 3));
        assert_eq!(product(&Matrix::zeros(0, 2), &Matrix::zeros(2, 3)).shape(), (0, 3));
    }

    #[test]
    #[should_panic(expected = "product of (2, 3) and (2, 3)")]
    fn shapes_that_do_not_fit_are_printed() {
        product(&counting(2, 3), &counting(2, 3));
    }
}
