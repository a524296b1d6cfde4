//! Factors, rounded into the order in which the kernel reads them.

use crate::matrix::View;
use std::arch::x86_64::*;
use std::ops::Range;

/// Bytes of a row of a block: a panel of 12 columns is 12 KiB, one of 32 is 32 KiB, and stays in a first-level cache
/// while panels of rows pass.
const DEEP: usize = 1024;

/// A block of a factor: `rows × depth` numbers at `strides` (row, depth).
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) src: *const f32,
    pub(super) strides: (isize, isize),
    pub(super) rows: usize,
    pub(super) depth: usize,
}

impl Block {
    /// Those rows and columns of a view.
    pub(super) fn of(a: &View, rows: Range<usize>, inner: Range<usize>) -> Block {
        let strides = (a.strides().0 as isize, a.strides().1 as isize);
        let offset = rows.start as isize * strides.0 + inner.start as isize * strides.1;
        let src = a.as_ptr().wrapping_offset(offset);
        Block { src, strides, rows: rows.len(), depth: inner.len() }
    }
}

/// The part of its numbers that the copy of a factor holds.
pub(super) trait Factor: Copy + Send + Sync + 'static {
    /// Beside the rounded number also what rounding lost, rounded?
    const SPLIT: bool = false;
    /// Numbers of bf16 in 32 bits each?
    const WIDE: bool = false;
    /// A panel is as deep as a multiple of this, with zeros at its end.
    const DEPTH: usize = 2;
    /// Bytes of a number.
    const BYTES: usize = if Self::SPLIT || Self::WIDE { 4 } else { 2 };
    /// Does it need no instruction of AVX-512?
    const IS_PORTABLE: bool = false;

    /// How deep a block of a factor of that depth is: all but the last one alike, and none much less than others.
    fn deep(depth: usize) -> usize {
        let blocks = (depth * Self::BYTES).div_ceil(DEEP).max(1);
        depth.div_ceil(blocks).next_multiple_of(Self::DEPTH)
    }

    /// Bytes of a row of so many numbers.
    fn bytes_of(depth: usize) -> usize {
        depth.next_multiple_of(Self::DEPTH) * Self::BYTES
    }

    /// Rounds a factor into the order in which the kernel reads it: panels of `width` rows (`width` at most
    /// 32), of which each has pairs of columns, and a pair the two numbers of every row. A part for what was
    /// lost ([`Factor::SPLIT`]) lies behind the panel, in the same order; in one of [`Wide`] column follows
    /// column. With `BY_ROWS`, 16 pairs of a row follow one another, and then those of the next row. Rows that
    /// are missing in the last panel, and columns at its end, are zeros.
    ///
    /// # Safety
    /// - The block may be read, `dst` is valid for writes of the panels.
    /// - The processor has bf16, unless the factor [needs none](Factor::IS_PORTABLE).
    /// - With `BY_ROWS`, `width` is a multiple of 16, and [`Factor::DEPTH`] of 32.
    unsafe fn pack<const BY_ROWS: bool>(dst: *mut u32, block: Block, width: usize) {
        // SAFETY: the caller vouches for all.
        unsafe { pack::<Self, BY_ROWS>(dst, block, width) }
    }
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

impl Factor for Half {}

impl Factor for Wide {
    const WIDE: bool = true;
}

impl Factor for Split {
    const SPLIT: bool = true;
}

/// [`Factor::pack`] by the instructions of AVX-512 BF16.
///
/// # Safety
/// As there.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(super) unsafe fn pack<F: Factor, const BY_ROWS: bool>(
    mut dst: *mut u32,
    Block { src, strides, rows, depth }: Block,
    width: usize,
) {
    let parts = if F::SPLIT || F::WIDE { 2 } else { 1 };
    for first in (0..rows).step_by(width) {
        let panel = Panel {
            // SAFETY: a row there is, or none of it is read.
            src: src.wrapping_offset(first as isize * strides.0),
            dst,
            live: (rows - first).min(width),
            strides,
            depth,
            width,
        };
        // SAFETY: these are up to 32 rows of what the caller vouches for, and the next panel or the end.
        unsafe {
            panel.pack::<F, BY_ROWS>();
            dst = dst.add(parts * width * depth.next_multiple_of(F::DEPTH) / 2);
        }
    }
}

/// Numbers of f32 in a register, rows that are packed at a time, and pairs of columns.
pub(super) const LANES: usize = 16;
/// Rows of the result that are added up at a time, in two registers each, and of a panel of a left factor.
pub(super) const HEIGHT: usize = 2 * LANES;

/// What is copied at a time; a cache's line, and a register.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line(#[expect(dead_code, reason = "read as numbers")] [u8; 64]);

/// So many pairs of columns ahead a processor is told what will be read: their columns lie too far apart
/// for it to guess.
const AHEAD: usize = 8;

/// Up to 32 rows.
struct Panel {
    src: *const f32,
    dst: *mut u32,
    /// Rows that there are; the others are zeros.
    live: usize,
    strides: (isize, isize),
    depth: usize,
    width: usize,
}

/// A mask of the first so many lanes.
fn first(lanes: usize) -> u16 {
    ((1u32 << lanes) - 1) as u16
}

impl Panel {
    /// # Safety
    /// As for [`pack`].
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pack<F: Factor, const BY_ROWS: bool>(&self) {
        // SAFETY: a row, or a pair of columns, of this panel is read.
        unsafe {
            match self.strides {
                (_, 1) => {
                    self.blocks::<F, BY_ROWS, true>(|above, k, i| self.row::<F>(above + i, k))
                }
                (1, _) => {
                    self.blocks::<F, BY_ROWS, false>(|above, k, p| self.pair::<F>(above, k + 2 * p))
                }
                _ => self.blocks::<F, BY_ROWS, false>(|above, k, p| {
                    self.any_pair::<F>(above, k + 2 * p)
                }),
            }
        }
    }

    /// Packs blocks of 16 rows and 32 columns. `read` gives a row of such a block, or a pair of its columns;
    /// if the panel wants the other, the 16 × 16 pairs of the block are transposed. What lies side by side in
    /// memory is read in one go: all columns of the same rows, or all rows of the same columns.
    ///
    /// # Safety
    /// - As for [`pack`].
    /// - `read` may be called with any row, or pair of columns, of the panel.
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn blocks<F: Factor, const BY_ROWS: bool, const READS_ROWS: bool>(
        &self,
        read: impl Fn(usize, usize, usize) -> [__m512i; 2],
    ) {
        let depth = self.depth.next_multiple_of(F::DEPTH);
        let (high, deep) = (self.width.div_ceil(LANES), depth.div_ceil(2 * LANES));
        for n in 0..high * deep {
            let (i, j) = if READS_ROWS { (n / deep, n % deep) } else { (n % high, n / high) };
            let (above, k) = (i * LANES, j * 2 * LANES);
            let pairs = (depth - k).min(2 * LANES) / 2;
            let (read_lines, lines) =
                (if READS_ROWS { LANES } else { pairs }, if BY_ROWS { LANES } else { pairs });
            // SAFETY: lines of the panel are written, each once, and `read` is asked for its lines alone.
            unsafe {
                if BY_ROWS == READS_ROWS {
                    for line in 0..lines {
                        self.write::<F, BY_ROWS>(above, k, line, read(above, k, line));
                    }
                    continue;
                }
                let [mut upper, mut lower] = [[_mm512_setzero_si512(); LANES]; 2];
                for line in 0..read_lines {
                    [upper[line], lower[line]] = read(above, k, line);
                }
                transpose(&mut upper);
                if F::SPLIT {
                    transpose(&mut lower);
                }
                for line in 0..lines {
                    self.write::<F, BY_ROWS>(above, k, line, [upper[line], lower[line]]);
                }
            }
        }
    }

    // ANCHOR: pair
    /// Columns `k` and `k + 1` of 16 rows that lie side by side, as those of a left factor do: interleaved.
    ///
    /// # Safety
    /// As for [`pack`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn pair<F: Factor>(&self, above: usize, k: usize) -> [__m512i; 2] {
        let order: [u16; 32] = std::array::from_fn(|i| (i / 2 + 16 * (i % 2)) as u16);
        let live = first(self.live.saturating_sub(above).min(LANES));
        let start =
            |k: usize| self.src.wrapping_add(above).wrapping_offset(k as isize * self.strides.1);
        // SAFETY: only live rows of columns within `depth` are read.
        unsafe {
            let column = |k: usize| {
                _mm_prefetch::<_MM_HINT_T0>(start(k + 2 * AHEAD).cast());
                let live = if k < self.depth { live } else { 0 };
                _mm512_maskz_loadu_ps(live, start(k))
            };
            let order = _mm512_loadu_si512(order.as_ptr().cast());
            parts::<F>(column(k), column(k + 1)).map(|part| _mm512_permutexvar_epi16(order, part))
        }
    }
    // ANCHOR_END: pair

    /// 32 columns of row `i`, which lie side by side, as those of a right factor and of a transpose do.
    ///
    /// # Safety
    /// As for [`pack`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn row<F: Factor>(&self, i: usize, k: usize) -> [__m512i; 2] {
        if i >= self.live {
            return [_mm512_setzero_si512(); 2];
        }
        let there = (self.depth - k).min(2 * LANES);
        let (low, high) = (first(there.min(LANES)), first(there.saturating_sub(LANES)));
        let row = self.src.wrapping_offset(i as isize * self.strides.0).wrapping_add(k);
        // SAFETY: only columns within `depth` of a live row are read.
        unsafe {
            for part in [2, 3] {
                _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(part * LANES).cast());
            }
            let left = _mm512_maskz_loadu_ps(low, row);
            let right = _mm512_maskz_loadu_ps(high, row.wrapping_add(LANES));
            parts::<F>(left, right)
        }
    }

    /// Columns `k` and `k + 1` of a factor that lies otherwise.
    ///
    /// # Safety
    /// As for [`pack`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn any_pair<F: Factor>(&self, above: usize, k: usize) -> [__m512i; 2] {
        let mut pairs = [0.0; 2 * LANES];
        for (i, pair) in pairs.chunks_exact_mut(2).enumerate().take(self.live.saturating_sub(above))
        {
            for (k, value) in (k..self.depth).zip(pair) {
                // SAFETY: only values that there are are read.
                *value = unsafe {
                    *self
                        .src
                        .offset((above + i) as isize * self.strides.0 + k as isize * self.strides.1)
                };
            }
        }
        // SAFETY: 32 numbers are read.
        unsafe {
            parts::<F>(_mm512_loadu_ps(pairs.as_ptr()), _mm512_loadu_ps(pairs[LANES..].as_ptr()))
        }
    }

    /// Writes a line of the block from column `k` on: the pairs of a row, or a pair of columns.
    ///
    /// # Safety
    /// As for [`pack`], and the line must be one of the panel.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    unsafe fn write<F: Factor, const BY_ROWS: bool>(
        &self,
        above: usize,
        k: usize,
        line: usize,
        [pairs, lost]: [__m512i; 2],
    ) {
        let lanes = first((self.width - above).min(LANES));
        // SAFETY: the caller vouches for the line.
        unsafe {
            let store = |at: usize, pairs: __m512i| {
                _mm512_mask_storeu_epi32(self.dst.add(at).cast(), lanes, pairs);
            };
            if F::WIDE {
                let at = (k + 2 * line) * self.width + above;
                store(at, _mm512_slli_epi32::<16>(pairs));
                store(at + self.width, _mm512_and_si512(pairs, _mm512_set1_epi32(UPPER)));
                return;
            }
            let at = if BY_ROWS {
                k / 2 * self.width + (above + line) * LANES
            } else {
                (k / 2 + line) * self.width + above
            };
            store(at, pairs);
            if F::SPLIT {
                store(at + self.depth.next_multiple_of(F::DEPTH) / 2 * self.width, lost);
            }
        }
    }
}

/// The half of an f32 that is bf16.
const UPPER: i32 = !0xffff;

/// Both vectors rounded to bf16, `low` in the lower half; of [`Split`] also what that lost.
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

/// Both vectors in bf16, to the nearest, ties to even: `low` in the lower half.
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
