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
//! The loops around are in `blocks`. One product has the same bits whatever runs beside it.

use crate::backend::Backend;
use crate::matrix::View;
use crate::precision::Precision;
use blocks::{Output, run};
use pack::{Factor, Half, LANES, Split, Wide};
use std::arch::x86_64::*;
use std::num::NonZero;
use tiles::{Amx, Configured, Machine, SIDE, Tiles};

mod blocks;
mod pack;
mod prepacked;
mod tiles;

pub(crate) use prepacked::{prepack, prepacked};

/// Rows and columns of the result from which on a product may be worth it: with fewer, one factor is copied for too
/// little work.
const WIDE: usize = 32;

/// Is the product of an m × k and a k × n matrix worth rounding its factors?
pub(crate) fn is_worth(m: usize, k: usize, n: usize) -> bool {
    m.min(n) >= WIDE && (m * k * n) as u64 >= Precision::from()
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

/// Rows of the result that are added up at a time, in two registers each …
const HEIGHT: usize = 2 * LANES;
/// … by so many columns: 24 sums in registers, of 32 that there are. (Tiles have room for [`SIDE`].)
const COLUMNS: usize = 12;

/// The sums of a tile, column by column.
#[repr(C, align(64))]
struct Sums<const N: usize>([[f32; HEIGHT]; N]);

/// How copies of factors are multiplied, `N` columns at a time.
trait Multiplied<const N: usize>: Factor {
    /// Is the copy of a right factor by rows?
    const BY_ROWS: bool = false;

    /// Writes the sums of the products of a panel of rows and one of columns, each `depth` deep. What rounding
    /// lost lies `lost` numbers behind each.
    ///
    /// # Safety
    /// - The panels are as [`Factor::pack`] writes them, and `sums` is valid for writes.
    /// - The processor has what the factor needs, and the code is compiled for it.
    unsafe fn add(depth: usize, panels: [*const u16; 2], lost: [usize; 2], sums: *mut Sums<N>);
}

/// The sums in registers: two of them a column.
type Registers = [[__m512; 2]; COLUMNS];

/// # Safety
/// `to` is valid for writes.
#[target_feature(enable = "avx512f")]
unsafe fn store(sums: &Registers, to: *mut Sums<COLUMNS>) {
    for (j, [upper, lower]) in sums.iter().enumerate() {
        // SAFETY: column `j` has 32 numbers.
        unsafe {
            let to = to.cast::<f32>().add(j * HEIGHT);
            _mm512_store_ps(to, *upper);
            _mm512_store_ps(to.add(LANES), *lower);
        }
    }
}

/// Adds the products of panels of pairs.
///
/// # Safety
/// As for [`Multiplied::add`].
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn add_pairs(depth: usize, a: *const u16, b: *const u16, sums: &mut Registers) {
    for pair in 0..depth.div_ceil(2) {
        // SAFETY: the caller vouches for 32 and 12 pairs; all types are 512 bits.
        unsafe {
            let a = a.add(pair * 2 * HEIGHT).cast::<__m512bh>();
            let rows = [a.read_unaligned(), a.add(1).read_unaligned()];
            let b = b.add(pair * 2 * COLUMNS).cast::<i32>();
            for (j, sums) in sums.iter_mut().enumerate() {
                let column = _mm512_set1_epi32(b.add(j).read_unaligned());
                let column = std::mem::transmute::<__m512i, __m512bh>(column);
                for (sum, rows) in sums.iter_mut().zip(rows) {
                    *sum = _mm512_dpbf16_ps(*sum, rows, column);
                }
            }
        }
    }
}

impl Multiplied<COLUMNS> for Half {
    #[inline(always)]
    unsafe fn add(depth: usize, [a, b]: [*const u16; 2], _: [usize; 2], to: *mut Sums<COLUMNS>) {
        // SAFETY: the caller vouches for it.
        unsafe {
            let mut sums = [[_mm512_setzero_ps(); 2]; COLUMNS];
            add_pairs(depth, a, b, &mut sums);
            store(&sums, to);
        }
    }
}

impl Multiplied<COLUMNS> for Wide {
    #[inline(always)]
    unsafe fn add(depth: usize, [a, b]: [*const u16; 2], _: [usize; 2], to: *mut Sums<COLUMNS>) {
        let (a, b) = (a.cast::<f32>(), b.cast::<f32>());
        // SAFETY: as above; every number has 32 bits.
        unsafe {
            let mut sums = [[_mm512_setzero_ps(); 2]; COLUMNS];
            for k in 0..depth {
                let a = a.add(k * HEIGHT);
                let rows = [_mm512_loadu_ps(a), _mm512_loadu_ps(a.add(LANES))];
                for (j, sums) in sums.iter_mut().enumerate() {
                    let column = _mm512_set1_ps(*b.add(k * COLUMNS + j));
                    for (sum, rows) in sums.iter_mut().zip(rows) {
                        *sum = _mm512_fmadd_ps(rows, column, *sum);
                    }
                }
            }
            store(&sums, to);
        }
    }
}

impl Multiplied<COLUMNS> for Split {
    #[inline(always)]
    unsafe fn add(depth: usize, [a, b]: [*const u16; 2], lost: [usize; 2], to: *mut Sums<COLUMNS>) {
        // SAFETY: as above.
        unsafe {
            let mut sums = [[_mm512_setzero_ps(); 2]; COLUMNS];
            add_pairs(depth, a.add(lost[0]), b, &mut sums);
            add_pairs(depth, a, b.add(lost[1]), &mut sums);
            add_pairs(depth, a, b, &mut sums);
            store(&sums, to);
        }
    }
}

/// How many blocks of 32 numbers a panel of that depth has.
fn blocks_of(depth: usize) -> NonZero<usize> {
    NonZero::new(depth.div_ceil(2 * LANES)).expect("an inner size that is not empty")
}

impl<M: Machine> Multiplied<SIDE> for Tiles<M, false> {
    const BY_ROWS: bool = true;

    #[inline(always)]
    unsafe fn add(depth: usize, panels: [*const u16; 2], _: [usize; 2], sums: *mut Sums<SIDE>) {
        // SAFETY: as above.
        unsafe { M::multiply(M::ready(), &[panels], blocks_of(depth), sums.cast()) }
    }
}

impl<M: Machine> Multiplied<SIDE> for Tiles<M, true> {
    const BY_ROWS: bool = true;

    #[inline(always)]
    unsafe fn add(depth: usize, [a, b]: [*const u16; 2], lost: [usize; 2], to: *mut Sums<SIDE>) {
        // SAFETY: as above.
        unsafe {
            let panels = [[a.add(lost[0]), b], [a, b.add(lost[1])], [a, b]];
            M::multiply(M::ready(), &panels, blocks_of(depth), to.cast());
        }
    }
}

#[cfg(test)]
mod tests;
