//! The innermost loops: how copies of factors are multiplied.

use super::pack::{Factor, HEIGHT, Half, LANES, Split, Wide};
use super::tiles::{Machine, SIDE, Tiles};
use std::arch::x86_64::*;
use std::num::NonZero;

/// Columns of the result that are added up at a time, by [`HEIGHT`] rows: 24 sums in registers, of 32 that there are.
/// (Tiles have room for [`SIDE`].)
pub(super) const COLUMNS: usize = 12;

/// The sums of a tile, column by column.
#[repr(C, align(64))]
pub(super) struct Sums<const N: usize>(pub(super) [[f32; HEIGHT]; N]);

/// How copies of factors are multiplied, `N` columns at a time.
pub(super) trait Multiplied<const N: usize>: Factor {
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
