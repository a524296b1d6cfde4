//! Products whose factors are rounded to bf16: half the bits, and on processors with AVX-512 BF16 one
//! instruction for two multiplications where f32 has one.
//!
//! bf16 is the upper half of an f32: the same sign and exponent, hence the same range, and 8
//! significant bits instead of 24. The instruction multiplies two pairs of bf16 numbers and adds both
//! products to a sum in f32. So a factor's relative error is at most 2⁻⁸, one of rounding to 8 bits,
//! and the sum is rounded like one of f32, with one exception: the instruction takes numbers below
//! 2⁻¹²⁶ (subnormal ones) for 0, be they factors or sums.
//!
//! Everything else stays in f32: parameters, optimiser, what stands between the products, and the
//! results. A fast kernel copies its factors anyway, into the order in which it reads them; the copy
//! made here (`pack`) rounds on the way. Copies of weights are kept as long as these stay as they are (`prepacked`).
//!
//! Each kind of copy makes its kind of product:
//!
//! | copy of a factor | product |
//! |---|---|
//! | [`Half`]: rounded | `--precision bf16` by the instruction for bf16 |
//! | [`Wide`]: rounded, and kept in the 32 bits of an f32 | the same by instructions for f32, for processors on which these are faster |
//! | [`Split`]: rounded, and what rounding lost, rounded | `--precision bf16x3`: three products of bf16, 16 bits of every factor |
//! | [`Tiles`]: either, in blocks of 32 × 32 | both, on a processor with matrix [`tiles`] |
//!
//! [`Half`], [`Wide`] and [`Tiles`] multiply the same numbers, and every such product is exact in f32. They
//! differ in the order of sums, and in the subnormal numbers that [`Wide`] does not take for 0.
//!
//! The innermost loops are in `multiplied` and `tiles`, those around in `blocks`. One product has the same bits whatever runs beside it.

use crate::backend::Backend;
use crate::matrix::View;
use crate::precision::Precision;
use blocks::{Output, run};
use multiplied::COLUMNS;
use pack::{Half, Split, Wide};
use tiles::{Amx, Configured, SIDE, Tiles};

mod blocks;
mod multiplied;
mod pack;
mod prepacked;
mod tiles;

pub(crate) use prepacked::{prepack, prepacked};

/// Rows and columns of the result from which on a product may be worth it: with fewer, one factor is copied for too
/// little work.
const WIDE: usize = 32;

/// Is the product of an m × k and a k × n matrix worth rounding its factors?
pub(crate) fn is_worth(m: usize, k: usize, n: usize) -> bool {
    m.min(n) >= WIDE && (m * k * n) as u64 >= Precision::threshold()
}

/// `dst = beta·dst + alpha·a·b`, `a` and `b` rounded to bf16.
///
/// # Safety
/// - `dst` is valid for writes, and unless `beta` is zero for reads, of `a.nrows() × b.ncols()` values at `strides`
///   (row, column).
/// - No shape is empty.
/// - The processor [has bf16](crate::processor::has_bf16), for [`Backend::Tiles`] tiles, too.
pub(crate) unsafe fn rounded(
    unit: Backend,
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) {
    let output = Output { beta, dst, strides, alpha };
    // SAFETY: the caller vouches for all.
    unsafe {
        match unit {
            Backend::Bf16 => run::<Half, COLUMNS>(output, a, b),
            Backend::F32 => run::<Wide, COLUMNS>(output, a, b),
            Backend::Tiles => {
                let _tiles = Configured::new();
                run::<Tiles<Amx, false>, SIDE>(output, a, b)
            }
        }
    }
}

/// `dst = beta·dst + alpha·(a₁·b₁ + a₁·b₂ + a₂·b₁)`, where `a₁ + a₂` and `b₁ + b₂` are the factors with 16
/// of their 24 bits: by tiles, or else by the instruction for bf16.
///
/// # Safety
/// As for [`rounded`].
pub(crate) unsafe fn split(
    unit: Backend,
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) {
    let output = Output { beta, dst, strides, alpha };
    // SAFETY: the caller vouches for all.
    unsafe {
        match unit {
            Backend::Bf16 | Backend::F32 => run::<Split, COLUMNS>(output, a, b),
            Backend::Tiles => {
                let _tiles = Configured::new();
                run::<Tiles<Amx, true>, SIDE>(output, a, b)
            }
        }
    }
}

#[cfg(test)]
mod tests;
