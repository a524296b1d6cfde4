//! Factors, rounded into the order in which the kernel reads them.

use std::arch::x86_64::*;

/// What the copy of a factor holds of its numbers.
pub(super) trait Factor: Copy + Send + Sync + 'static {
    /// Beside the rounded number also what rounding lost, rounded?
    const SPLIT: bool;
    /// Numbers of bf16 in 32 bits each?
    const WIDE: bool;
}

/// Numbers rounded to bf16.
#[derive(Clone, Copy)]
pub(super) struct Half;

/// The same, as numbers of f32.
#[derive(Clone, Copy)]
pub(super) struct Wide;

/// Numbers rounded to bf16, and what that lost, rounded to bf16.
#[derive(Clone, Copy)]
pub(super) struct Split;

impl Factor for Half {
    const SPLIT: bool = false;
    const WIDE: bool = false;
}

impl Factor for Wide {
    const SPLIT: bool = false;
    const WIDE: bool = true;
}

impl Factor for Split {
    const SPLIT: bool = true;
    const WIDE: bool = false;
}

/// Rounds a factor into the order in which the kernel reads it: panels of `width` rows (`width` at most
/// 32). In a panel of [`Half`] lie pairs of columns, in a pair of columns row by row the two numbers of
/// the row. One of [`Split`] has a second part for what was lost, in the same order, behind the first; in
/// one of [`Wide`] column follows column. Rows that are missing in the last panel and the column that
/// is missing in an odd pair are zeros.
///
/// # Safety
/// `src` must be valid for reads of `rows × depth` values at `strides` (row, depth), `dst` for writes
/// of the panels, and the processor must be [`supported`](super::supported).
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) unsafe fn pack<F: Factor>(
    mut dst: *mut u32,
    src: *const f32,
    strides: (isize, isize),
    rows: usize,
    depth: usize,
    width: usize,
) {
    let pairs = width * depth.div_ceil(2); // of 32 bits
    for first in (0..rows).step_by(width) {
        for row in (first..first + width).step_by(LANES) {
            let panel = Panel {
                // SAFETY: a row there is, or none of it is read.
                src: src.wrapping_offset(row as isize * strides.0),
                dst: unsafe { dst.add(row - first) },
                live: rows.saturating_sub(row).min(LANES).min(first + width - row),
                lanes: (first + width - row).min(LANES),
                strides,
                depth,
                width,
            };
            // SAFETY: these are up to 16 rows of what the caller vouches for.
            unsafe {
                match strides {
                    (_, 1) => panel.pack_along_rows::<F>(),
                    (1, _) => panel.pack_along_columns::<F>(),
                    _ => panel.pack_anywhere::<F>(),
                }
            }
        }
        let parts = if F::SPLIT || F::WIDE { 2 } else { 1 };
        // SAFETY: the next panel, or the end.
        dst = unsafe { dst.add(parts * pairs) };
    }
}

/// Numbers of f32 in a register.
pub(super) const LANES: usize = 16;

/// Up to 16 rows of a panel.
struct Panel {
    src: *const f32,
    dst: *mut u32,
    /// Rows that there are; the others are zeros.
    live: usize,
    /// Rows with those.
    lanes: usize,
    strides: (isize, isize),
    depth: usize,
    width: usize,
}

/// A mask of the first so many lanes.
fn first(lanes: usize) -> u16 {
    ((1u32 << lanes) - 1) as u16
}

impl Panel {
    // ANCHOR: pack_along_columns
    /// Rows lie side by side, as those of a left factor do: two columns at a time, interleaved.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_along_columns<F: Factor>(&self) {
        let order: [u16; 32] = std::array::from_fn(|i| (i / 2 + 16 * (i % 2)) as u16);
        let live = first(self.live);
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
                let rounded = parts::<F>(even, odd);
                self.write::<F>(k, rounded.map(|part| _mm512_permutexvar_epi16(order, part)));
            }
        }
    }
    // ANCHOR_END: pack_along_columns

    /// Columns lie side by side, as those of a right factor and of a transpose do: 16 rows by 32
    /// columns at a time, whose 16 × 16 pairs are transposed.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_along_rows<F: Factor>(&self) {
        for k in (0..self.depth).step_by(2 * LANES) {
            let there = (self.depth - k).min(2 * LANES);
            let (low, high) = (first(there.min(LANES)), first(there.saturating_sub(LANES)));
            let [mut upper, mut lower] = [[_mm512_setzero_si512(); LANES]; 2];
            // SAFETY: only live rows and columns within `depth` are read.
            unsafe {
                for i in 0..self.live {
                    let row = self.src.offset(i as isize * self.strides.0).wrapping_add(k);
                    let even = _mm512_maskz_loadu_ps(low, row);
                    let odd = _mm512_maskz_loadu_ps(high, row.wrapping_add(LANES));
                    [upper[i], lower[i]] = parts::<F>(even, odd);
                }
            }
            transpose(&mut upper);
            if F::SPLIT {
                transpose(&mut lower);
            }
            for i in 0..there.div_ceil(2) {
                // SAFETY: only rows of the panel, in pairs that there are, are written.
                unsafe { self.write::<F>(k + 2 * i, [upper[i], lower[i]]) }
            }
        }
    }

    /// A factor that lies otherwise.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack_anywhere<F: Factor>(&self) {
        for k in (0..self.depth).step_by(2) {
            let mut pairs = [0.0; 2 * LANES];
            for (i, pair) in pairs.chunks_exact_mut(2).enumerate().take(self.live) {
                for (k, value) in (k..self.depth).zip(pair) {
                    // SAFETY: only values that there are are read.
                    *value = unsafe {
                        *self.src.offset(i as isize * self.strides.0 + k as isize * self.strides.1)
                    };
                }
            }
            // SAFETY: 32 numbers are read, and only rows of the panel written.
            unsafe {
                let low = _mm512_loadu_ps(pairs.as_ptr());
                let high = _mm512_loadu_ps(pairs[LANES..].as_ptr());
                self.write::<F>(k, parts::<F>(low, high));
            }
        }
    }

    /// Writes columns `k` and `k + 1`: of every row a pair of numbers, and in [`Split`] a pair of what
    /// they lost.
    ///
    /// # Safety
    /// `k` is even and below `depth`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn write<F: Factor>(&self, k: usize, [pairs, lost]: [__m512i; 2]) {
        let lanes = first(self.lanes);
        // SAFETY: the caller vouches for `k`.
        unsafe {
            let store = |at: usize, pairs: __m512i| {
                _mm512_mask_storeu_epi32(self.dst.add(at).cast(), lanes, pairs);
            };
            if F::WIDE {
                store(k * self.width, _mm512_slli_epi32::<16>(pairs));
                store((k + 1) * self.width, _mm512_and_si512(pairs, _mm512_set1_epi32(UPPER)));
                return;
            }
            store(k / 2 * self.width, pairs);
            if F::SPLIT {
                store((k / 2 + self.depth.div_ceil(2)) * self.width, lost);
            }
        }
    }
}

/// The half of an f32 that is bf16.
const UPPER: i32 = !0xffff;

/// Both rounded to bf16, `low` in the lower half; of [`Split`] also what that lost.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn parts<F: Factor>(low: __m512, high: __m512) -> [__m512i; 2] {
    if !F::SPLIT {
        return [round(low, high), _mm512_setzero_si512()];
    }
    let (low_upper, high_upper) = (upper(low), upper(high));
    let lost = |x: __m512, upper: __m512| _mm512_sub_ps(x, upper);
    [round(low_upper, high_upper), round(lost(low, low_upper), lost(high, high_upper))]
}

/// Both in bf16, to the nearest, ties to even: `low` in the lower half.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
fn round(low: __m512, high: __m512) -> __m512i {
    // SAFETY: both types are 512 bits.
    unsafe { std::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(high, low)) }
}

/// The first part of a number: rounded to bf16, unless that is infinite. Then it is the largest number of
/// bf16 for a finite one, and 1 for an infinite one, so that the second part alone is infinite. Were
/// both, the products of the three would be infinity times 0, which is no number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn upper(x: __m512) -> __m512 {
    let is_infinite = |x: __m512| {
        _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(_mm512_abs_ps(x), _mm512_set1_ps(f32::INFINITY))
    };
    let bits = _mm512_castps_si512(x);
    // SAFETY: both types are 256 bits.
    let rounded = unsafe { std::mem::transmute::<__m256bh, __m256i>(_mm512_cvtneps_pbh(x)) };
    let rounded = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(rounded)));
    let cut = _mm512_castsi512_ps(_mm512_and_si512(bits, _mm512_set1_epi32(UPPER)));
    let sign = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MIN));
    let one = _mm512_or_si512(sign, _mm512_castps_si512(_mm512_set1_ps(1.0)));
    let finite = _mm512_mask_mov_ps(rounded, is_infinite(rounded), cut);
    _mm512_mask_mov_ps(finite, is_infinite(x), _mm512_castsi512_ps(one))
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
