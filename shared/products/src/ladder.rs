//! Slower products than the kernel's, to measure what the kernel is worth: the lower rungs of the
//! benchmark `ladder`. Nothing of this is in a build without the feature of that name.

use crate::matrix::{Float, View, ViewMut};
use nalgebra::{Dyn, ViewStorageMut};
use std::sync::atomic::{AtomicU8, Ordering};

/// The code that computes [`crate::gemm`] and [`crate::product`]. The loops of [`crate::short`], for products
/// that are too small for any kernel, stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// Three loops, as the definition has them.
    Loops,
    /// nalgebra's `a * b`, which hands larger matrices to the crate `matrixmultiply`; a transposed
    /// factor is copied first, as in `a.transpose() * b`.
    Nalgebra,
    /// The course's kernel, which is what runs when nothing is said.
    #[default]
    Kernel,
}

/// One switch for a process, as for [`crate::Precision`].
static CURRENT: AtomicU8 = AtomicU8::new(Products::Kernel as u8);

impl Products {
    /// The code that computes products now.
    pub fn current() -> Products {
        let all = [Products::Loops, Products::Nalgebra, Products::Kernel];
        all[CURRENT.load(Ordering::Relaxed) as usize]
    }

    /// From now on, all products of this process are computed so.
    pub fn begin(self) {
        CURRENT.store(self as u8, Ordering::Relaxed);
    }

    /// `dst = beta·dst + alpha·a·b`, unless the kernel is to compute it; says whether it has.
    ///
    /// # Safety
    /// `dst` must be valid for writes – and, unless `beta` is zero, for reads – of `a.nrows() ×
    /// b.ncols()` values at `strides` (row, column).
    pub(crate) unsafe fn multiply(
        self,
        beta: Float,
        dst: *mut Float,
        strides: (usize, usize),
        alpha: Float,
        a: &View,
        b: &View,
    ) -> bool {
        // SAFETY: the caller vouches for `dst`.
        unsafe {
            match self {
                Products::Loops => loops(beta, dst, strides, alpha, a, b),
                Products::Nalgebra => nalgebra(beta, dst, strides, alpha, a, b),
                Products::Kernel => return false,
            }
        }
        true
    }
}

/// `dst_ij = beta·dst_ij + alpha·Σ_p a_ip·b_pj`, read aloud.
unsafe fn loops(
    beta: Float,
    dst: *mut Float,
    strides: (usize, usize),
    alpha: Float,
    a: &View,
    b: &View,
) {
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut sum = 0.0;
            for p in 0..a.ncols() {
                sum += a[(i, p)] * b[(p, j)];
            }
            // SAFETY: entry (i, j) is one of those that the caller vouches for.
            unsafe {
                let dst = dst.add(i * strides.0 + j * strides.1);
                *dst = if beta == 0.0 { alpha * sum } else { beta * *dst + alpha * sum };
            }
        }
    }
}

unsafe fn nalgebra(
    beta: Float,
    dst: *mut Float,
    strides: (usize, usize),
    alpha: Float,
    a: &View,
    b: &View,
) {
    let (m, n) = (a.nrows(), b.ncols());
    if beta == 0.0 {
        // nalgebra works on references, and what they point to must have been written once.
        for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
            // SAFETY: as in `loops`.
            unsafe { dst.add(i * strides.0 + j * strides.1).write(0.0) };
        }
    }
    // SAFETY: the caller vouches for these entries, which are all written by now.
    let dst = unsafe {
        ViewStorageMut::from_raw_parts(dst, (Dyn(m), Dyn(n)), (Dyn(strides.0), Dyn(strides.1)))
    };
    let mut dst = ViewMut::from_data(dst);
    let copy = |x: &View| (x.strides().0 != 1).then(|| x.clone_owned());
    match (copy(a), copy(b)) {
        (None, None) => dst.gemm(alpha, a, b, beta),
        (Some(a), None) => dst.gemm(alpha, &a, b, beta),
        (None, Some(b)) => dst.gemm(alpha, a, &b, beta),
        (Some(a), Some(b)) => dst.gemm(alpha, &a, &b, beta),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matrix, Operand, gemm};

    /// Small whole numbers, whose products and sums are exact.
    fn counting(rows: usize, columns: usize) -> Matrix {
        Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 3) % 5) as Float - 2.0)
    }

    /// The switch itself is left alone: tests run side by side.
    #[test]
    fn all_rungs_compute_the_same_products() {
        for (m, k, n) in [(1, 1, 1), (3, 5, 2), (17, 9, 12), (4, 0, 3)] {
            let (a, b, at, bt) = (counting(m, k), counting(k, n), counting(k, m), counting(n, k));
            let factors = [(a.whole(), b.whole()), (at.t(), b.whole()), (a.whole(), bt.t())];
            for ((a, b), beta) in factors.iter().zip([0.0, 1.0, 2.0]) {
                let mut expected = counting(m, n);
                gemm(beta, &mut expected, 3.0, a, b);
                for products in [Products::Loops, Products::Nalgebra] {
                    let mut c = counting(m, n);
                    // SAFETY: `c` has the shape of the product, and lies by columns.
                    let done = unsafe {
                        products.multiply(beta, c.as_mut_slice().as_mut_ptr(), (1, m), 3.0, a, b)
                    };
                    assert!(done && c == expected, "{products:?}, ({m} × {k})·({k} × {n})");
                }
            }
        }
    }
}
