//! Products whose factors are rounded to bf16: half the bits, and on processors with AVX-512 BF16 one
//! instruction for two multiplications where f32 has one.
//!
//! bf16 is the upper half of an f32: the same sign and exponent, hence the same range, and 8
//! significant bits instead of 24. The instruction multiplies two pairs of bf16 numbers and adds both
//! products to a sum in f32. So a factor's relative error is at most 2⁻⁸, one of rounding to 8 bits,
//! and the sum is rounded like one of f32, with one exception: the instruction takes numbers below
//! 2⁻¹²⁶ (denormal ones) for 0, be they factors or sums.
//!
//! Everything else stays in f32: parameters, optimiser, what stands between the products, and the
//! results. A fast kernel copies its factors anyway, into the order in which it reads them; the copy
//! made here ([`pack`]) rounds on the way. Thus nothing has to be kept twice, and no factor is stale.
//!
//! Blocking and the innermost loop are those of the crate `gemmkit`; what is rounded, and how the
//! result is written, is ours. One product has the same bits whatever runs beside it.

use crate::matrix::{Operand, View};
use gemmkit::kernel::{AlphaStatus, BetaStatus, KernelFamily};
use gemmkit::simd::{Avx512Bf16, KernelSimd, SimdOps};
use gemmkit::{Parallelism, Workspace, bf16, driver};
use std::arch::x86_64::*;
use std::cell::RefCell;

/// Multiplications, and rows and columns of the result, from which on a product is faster than in f32:
/// with fewer, both factors are copied for too little work.
const WORTH: usize = 1 << 16;
/// See [`WORTH`].
const WIDE: usize = 32;

/// Is the product of an m × k and a k × n matrix worth rounding its factors?
pub(crate) fn is_worth(m: usize, k: usize, n: usize) -> bool {
    m.min(n) >= WIDE && m * k * n >= WORTH
}

/// Does this processor have the instructions?
pub(crate) fn supported() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bf16")
}

thread_local! {
    /// Room for the copies of a thread's products.
    static WORKSPACE: RefCell<Workspace> = const { RefCell::new(Workspace::new()) };
}

/// `dst = beta·dst + alpha·a·b`, `a` and `b` rounded to bf16.
///
/// # Safety
/// As that of the kernel for f32: `dst` must be valid for writes – and, unless `beta` is zero, for
/// reads – of `a.nrows() × b.ncols()` values at `strides` (row, column), and no shape may be empty. The
/// processor must be [`supported`].
pub(crate) unsafe fn kernel(
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) {
    if strides.0 != 1 && strides.1 == 1 {
        // The tiles are written by columns: compute the transpose, `dstᵀ = bᵀ·aᵀ`.
        // SAFETY: `dst` with its strides swapped is the transpose of what the caller vouches for.
        return unsafe { kernel(beta, dst, (1, strides.0), alpha, &b.t(), &a.t()) };
    }
    let ((m, k), n) = (a.shape(), b.ncols());
    // The driver takes the factors for bf16, of half the width: strides in its unit are twice as long.
    let halves = |view: &View| (2 * view.strides().0 as isize, 2 * view.strides().1 as isize);
    let ((a_rows, a_columns), (b_rows, b_columns)) = (halves(a), halves(b));
    let (a, b) = (a.as_ptr().cast::<bf16>(), b.as_ptr().cast::<bf16>());
    let (rows, columns) = (strides.0 as isize, strides.1 as isize);
    WORKSPACE.with_borrow_mut(|room| {
        // SAFETY: the factors are only read by the packing below, which both constants of `Rounding`
        // enforce and which undoes the casts; the caller vouches for the rest.
        unsafe {
            driver::run::<Rounding, _, REGISTERS, COLUMNS>(
                Avx512Bf16,
                m,
                k,
                n,
                alpha,
                a,
                a_rows,
                a_columns,
                b,
                b_rows,
                b_columns,
                beta,
                dst,
                rows,
                columns,
                Parallelism::Serial,
                room,
            );
        }
    });
}

/// A tile of the result: so many registers of 16 rows …
const REGISTERS: usize = 2;
/// … by so many columns: 24 sums in registers, of 32 that there are.
const COLUMNS: usize = 12;

/// The products of this module, as the driver wants them described.
#[derive(Clone, Copy)]
struct Rounding;

impl KernelFamily for Rounding {
    type Lhs = bf16;
    type Rhs = bf16;
    type Acc = f32;
    type Out = f32;

    const FORCE_PACK_LHS: bool = true;
    const FORCE_PACK_RHS: bool = true;
    const DEPTH_MULTIPLE: usize = 2;

    unsafe fn pack_lhs(
        dst: *mut bf16,
        src: *const bf16,
        rows: isize,
        columns: isize,
        m: usize,
        k: usize,
        width: usize,
    ) {
        // SAFETY: `kernel` made these pointers and strides from those of f32 values.
        unsafe { pack(dst.cast(), src.cast(), (rows / 2, columns / 2), m, k, width) }
    }

    unsafe fn pack_rhs(
        dst: *mut bf16,
        src: *const bf16,
        rows: isize,
        columns: isize,
        k: usize,
        n: usize,
        width: usize,
    ) {
        // SAFETY: as above; a right factor is packed as the left one of the transposed product.
        unsafe { pack(dst.cast(), src.cast(), (columns / 2, rows / 2), n, k, width) }
    }

    #[inline(always)]
    unsafe fn microkernel<S, const REGISTERS: usize, const COLUMNS: usize>(
        simd: S,
        k: usize,
        alpha: f32,
        beta: f32,
        _: AlphaStatus,
        beta_status: BetaStatus,
        a: *const bf16,
        _: isize,
        b: *const bf16,
        _: isize,
        _: isize,
        c: *mut f32,
        row_stride: isize,
        column_stride: isize,
        rows: usize,
        columns: usize,
        scratch: *mut f32,
    ) where
        S: KernelSimd<bf16, bf16, f32, f32>,
    {
        let lanes = <S as SimdOps<f32>>::LANES;
        let height = REGISTERS * lanes;
        // SAFETY: panels, tile and scratch are the driver's, which calls this in the right context.
        unsafe {
            let mut sums = [[simd.zero(); REGISTERS]; COLUMNS];
            simd.dot_accumulate::<REGISTERS, COLUMNS>(k, a, b, &mut sums);
            let (alphas, betas) = (simd.splat(alpha), simd.splat(beta));
            if rows == height && columns == COLUMNS && row_stride == 1 {
                for j in 0..COLUMNS {
                    for i in 0..REGISTERS {
                        let to = c.offset(j as isize * column_stride).add(i * lanes);
                        let mut value = simd.mul(sums[j][i], alphas);
                        if beta_status != BetaStatus::Zero {
                            value = simd.mul_add(simd.loadu(to), betas, value);
                        }
                        simd.storeu(to, value);
                    }
                }
                return;
            }
            // A tile at the edge: through the scratch, value by value.
            for j in 0..COLUMNS {
                for i in 0..REGISTERS {
                    simd.storeu(scratch.add(j * height + i * lanes), simd.mul(sums[j][i], alphas));
                }
            }
            for j in 0..columns {
                for i in 0..rows {
                    let to = c.offset(i as isize * row_stride + j as isize * column_stride);
                    let value = *scratch.add(j * height + i);
                    *to = if beta_status == BetaStatus::Zero { value } else { beta * *to + value };
                }
            }
        }
    }
}

/// Rounds a factor into the order in which the kernel reads it: panels of `width` rows (`width` at most
/// 32), in a panel pairs of columns, in a pair of columns row by row the two numbers of the row. Rows
/// that are missing in the last panel and the column that is missing in an odd pair are zeros.
///
/// # Safety
/// `src` must be valid for reads of `rows × depth` values at `strides` (row, depth), `dst` for writes
/// of the panels, and the processor must be [`supported`].
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
unsafe fn pack(
    mut dst: *mut u16,
    src: *const f32,
    strides: (isize, isize),
    rows: usize,
    depth: usize,
    width: usize,
) {
    let panel_size = width * depth.next_multiple_of(2);
    for first in (0..rows).step_by(width) {
        for row in (first..first + width).step_by(LANES) {
            let panel = Panel {
                // SAFETY: a row there is, or none of it is read.
                src: src.wrapping_offset(row as isize * strides.0),
                dst: unsafe { dst.add(2 * (row - first)) },
                live: rows.saturating_sub(row).min(LANES).min(first + width - row),
                lanes: (first + width - row).min(LANES),
                strides,
                depth,
                width,
            };
            // SAFETY: these are up to 16 rows of what the caller vouches for.
            unsafe {
                match strides {
                    (_, 1) => panel.pack_along_rows(),
                    (1, _) => panel.pack_along_columns(),
                    _ => panel.pack_anywhere(),
                }
            }
        }
        // SAFETY: the next panel, or the end.
        dst = unsafe { dst.add(panel_size) };
    }
}

/// Numbers of f32 in a register.
const LANES: usize = 16;

/// Up to 16 rows of a panel.
struct Panel {
    src: *const f32,
    dst: *mut u16,
    /// Rows that there are; the others are zeros.
    live: usize,
    /// Rows with those.
    lanes: usize,
    strides: (isize, isize),
    depth: usize,
    width: usize,
}

/// A mask of the first so many lanes.
fn first(lanes: usize) -> u32 {
    ((1u64 << lanes) - 1) as u32
}

impl Panel {
    // ANCHOR: pack_along_columns
    /// Rows lie side by side, as those of a left factor do: two columns at a time, interleaved.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_along_columns(&self) {
        let order: [u16; 32] = std::array::from_fn(|i| (i / 2 + 16 * (i % 2)) as u16);
        let (live, lanes) = (first(self.live) as u16, first(2 * self.lanes));
        // SAFETY: only live rows of columns within `depth` are read, only rows of the panel written.
        unsafe {
            let order = _mm512_loadu_si512(order.as_ptr().cast());
            for k in (0..self.depth).step_by(2) {
                let column = |k: usize| self.src.offset(k as isize * self.strides.1);
                let even = _mm512_maskz_loadu_ps(live, column(k));
                let odd = if k + 1 < self.depth {
                    _mm512_maskz_loadu_ps(live, column(k + 1))
                } else {
                    _mm512_setzero_ps()
                };
                let pairs = _mm512_permutexvar_epi16(order, round(even, odd));
                let to = self.dst.add(k * self.width);
                _mm512_mask_storeu_epi16(to.cast(), lanes, pairs);
            }
        }
    }
    // ANCHOR_END: pack_along_columns

    /// Columns lie side by side, as those of a right factor and of a transpose do: 16 rows by 32
    /// columns at a time, whose 16 × 16 pairs are transposed.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_along_rows(&self) {
        for k in (0..self.depth).step_by(2 * LANES) {
            let there = (self.depth - k).min(2 * LANES);
            let (low, high) = (first(there.min(LANES)), first(there.saturating_sub(LANES)));
            let mut pairs = [_mm512_setzero_si512(); LANES];
            // SAFETY: only live rows and columns within `depth` are read.
            unsafe {
                for (i, pairs) in pairs.iter_mut().enumerate().take(self.live) {
                    let row = self.src.offset(i as isize * self.strides.0).wrapping_add(k);
                    let even = _mm512_maskz_loadu_ps(low as u16, row);
                    let odd = _mm512_maskz_loadu_ps(high as u16, row.wrapping_add(LANES));
                    *pairs = round(even, odd);
                }
            }
            transpose(&mut pairs);
            for (i, pairs) in pairs.iter().enumerate().take(there.div_ceil(2)) {
                // SAFETY: only rows of the panel, in pairs that there are, are written.
                unsafe {
                    let to = self.dst.add((k + 2 * i) * self.width);
                    _mm512_mask_storeu_epi32(to.cast(), first(self.lanes) as u16, *pairs);
                }
            }
        }
    }

    /// A factor that lies otherwise.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_anywhere(&self) {
        for k in 0..self.depth.next_multiple_of(2) {
            for i in 0..self.lanes {
                let place = i as isize * self.strides.0 + k as isize * self.strides.1;
                // SAFETY: only values that there are are read, only rows of the panel written.
                unsafe {
                    let there = i < self.live && k < self.depth;
                    let value = if there { *self.src.offset(place) } else { 0.0 };
                    let to = self.dst.add(k / 2 * 2 * self.width + 2 * i + k % 2);
                    *to = bf16::from_f32(value).to_bits();
                }
            }
        }
    }
}

/// Both in bf16, to the nearest, ties to even: `low` in the lower half.
#[target_feature(enable = "avx512f,avx512bf16")]
fn round(low: __m512, high: __m512) -> __m512i {
    // SAFETY: both types are 512 bits.
    unsafe { std::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(high, low)) }
}

/// Transposes 16 × 16 numbers of 32 bits: squares of 8, 4, 2 and 1 change places.
#[target_feature(enable = "avx512f")]
fn transpose(rows: &mut [__m512i; LANES]) {
    for distance in [8, 4, 2, 1] {
        let upper: [i32; LANES] = std::array::from_fn(|l| {
            (if l & distance == 0 { l } else { LANES + l - distance }) as i32
        });
        let lower: [i32; LANES] = std::array::from_fn(|l| {
            (if l & distance == 0 { l + distance } else { LANES + l }) as i32
        });
        // SAFETY: arrays of 16 numbers of 32 bits.
        let (upper, lower) = unsafe {
            (_mm512_loadu_si512(upper.as_ptr().cast()), _mm512_loadu_si512(lower.as_ptr().cast()))
        };
        for i in (0..LANES).filter(|i| i & distance == 0) {
            let (a, b) = (rows[i], rows[i + distance]);
            rows[i] = _mm512_permutex2var_epi32(a, upper, b);
            rows[i + distance] = _mm512_permutex2var_epi32(a, lower, b);
        }
    }
}

#[cfg(test)]
mod tests;
