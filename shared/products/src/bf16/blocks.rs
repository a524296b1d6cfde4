//! The loops around the innermost one: which blocks of the factors are copied when, and where a tile of the result
//! is written.
//!
//! Three loops cut the result and the inner size into blocks that stay in a processor's caches; two walk through
//! the tiles of a block (Goto & van de Geijn 2008, *Anatomy of high-performance matrix multiplication*). Sizes of
//! blocks are the same on every processor, and so is the order of every sum.

use super::multiplied::{Multiplied, Sums};
use super::pack::{Block, Factor, HEIGHT, Line};
use super::prepacked::{self, Prepacked};
use crate::arithmetic::count_copied;
use crate::matrix::{Operand, View};
use std::cell::RefCell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;

/// Rows of a block: 512 KiB, for a second-level cache.
const ROWS: usize = 16 * HEIGHT;
/// Columns of a block: 2 MiB. Whole panels of 12 and of 32.
const COLUMNS: usize = 2016;

/// Room for copies that a thread keeps. Nothing clears it: all that is read was written before.
#[derive(Default)]
struct Room(Vec<Line>);

impl Room {
    fn of_bytes(&mut self, bytes: usize) -> *mut u32 {
        self.0.reserve(bytes.div_ceil(size_of::<Line>())); // of an empty vector: in all
        self.0.as_mut_ptr().cast()
    }
}

thread_local! {
    /// For the blocks of the left and of the right factor.
    static ROOMS: RefCell<[Room; 2]> = RefCell::default();
}

/// Copied panels of a block of a factor.
#[derive(Clone, Copy)]
struct Panels {
    start: *const u16,
    /// Numbers of bf16 from one panel to the next, …
    step: usize,
    /// … and from what is rounded to what that lost.
    lost: usize,
}

impl Panels {
    /// Those of `width` rows that [`Factor::pack`] wrote to `start`, so many numbers deep.
    fn new<F: Factor>(start: *const u32, width: usize, depth: usize) -> Panels {
        let lost = width * depth.next_multiple_of(F::DEPTH);
        Panels { start: start.cast(), step: lost * F::BYTES / 2, lost }
    }

    fn at(&self, panel: usize) -> *const u16 {
        self.start.wrapping_add(panel * self.step)
    }
}

/// The copy of a factor's block, in `room`.
///
/// # Safety
/// As for [`Factor::pack`].
unsafe fn packed<F: Factor, const BY_ROWS: bool>(
    room: &mut Room,
    a: &View,
    rows: Range<usize>,
    inner: Range<usize>,
    width: usize,
) -> Panels {
    let bytes = rows.len().next_multiple_of(width) * F::bytes_of(inner.len());
    let to = room.of_bytes(bytes);
    count_copied(bytes);
    // SAFETY: a block of the view is read; there is room for its panels; the caller vouches for the processor.
    unsafe { F::pack::<BY_ROWS>(to, Block::of(a, rows, inner.clone()), width) };
    Panels::new::<F>(to, width, inner.len())
}

/// Where a product is written, and how.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) beta: f32,
    pub(super) dst: *mut f32,
    /// From a row to the next, and from a column to the next.
    pub(super) strides: (usize, usize),
    pub(super) alpha: f32,
}

/// `dst = beta·dst + alpha·a·b`.
///
/// # Safety
/// As for [`rounded`](super::rounded).
pub(super) unsafe fn run<F: Multiplied<N>, const N: usize>(output: Output, a: &View, b: &View) {
    let Output { strides, .. } = output;
    if strides.0 != 1 && strides.1 == 1 {
        // Tiles are written by columns: compute the transpose, `dstᵀ = bᵀ·aᵀ`.
        let output = Output { strides: (1, strides.0), ..output };
        // SAFETY: `dst` with its strides swapped is the transpose of what the caller vouches for.
        return unsafe { run::<F, N>(output, &b.t(), &a.t()) };
    }
    // SAFETY: the caller vouches for the processor.
    let copy = unsafe { prepacked::copy_of::<F>(a) };
    ROOMS.with_borrow_mut(|rooms| {
        // SAFETY: the caller vouches for all.
        unsafe {
            if F::IS_PORTABLE {
                blocks::<F, N>(rooms, output, a, copy.as_ref(), b);
            } else {
                blocks_by_avx512::<F, N>(rooms, output, a, copy.as_ref(), b);
            }
        }
    });
}

/// [`blocks`], compiled for its instructions.
///
/// # Safety
/// As for [`rounded`](super::rounded).
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
unsafe fn blocks_by_avx512<F: Multiplied<N>, const N: usize>(
    rooms: &mut [Room; 2],
    output: Output,
    a: &View,
    copy: Option<&Arc<Prepacked>>,
    b: &View,
) {
    // SAFETY: the caller vouches for all.
    unsafe { blocks::<F, N>(rooms, output, a, copy, b) }
}

/// # Safety
/// As for [`rounded`](super::rounded).
#[inline(always)]
unsafe fn blocks<F: Multiplied<N>, const N: usize>(
    [left, right]: &mut [Room; 2],
    output: Output,
    a: &View,
    copy: Option<&Arc<Prepacked>>,
    b: &View,
) {
    let ((m, k), n) = (a.shape(), b.ncols());
    let (bt, deep) = (b.t(), F::deep(k));
    for j in (0..n).step_by(COLUMNS) {
        let columns = j..n.min(j + COLUMNS);
        for p in (0..k).step_by(deep) {
            let inner = p..k.min(p + deep);
            // What the blocks before have summed is added to.
            let output = if p == 0 { output } else { Output { beta: 1.0, ..output } };
            // SAFETY: blocks of the factors are read, and tiles of the result written.
            unsafe {
                let of_columns = if F::BY_ROWS {
                    packed::<F, true>(right, &bt, columns.clone(), inner.clone(), N)
                } else {
                    packed::<F, false>(right, &bt, columns.clone(), inner.clone(), N)
                };
                for i in (0..m).step_by(ROWS) {
                    let rows = i..m.min(i + ROWS);
                    let of_rows = match copy {
                        None => packed::<F, false>(left, a, rows.clone(), inner.clone(), HEIGHT),
                        Some(copy) => {
                            let start = copy.block::<F>(m, p);
                            let all = Panels::new::<F>(start, HEIGHT, inner.len());
                            Panels { start: all.at(i / HEIGHT), ..all }
                        }
                    };
                    let block = (rows, columns.clone());
                    tiles::<F, N>(output, block, inner.len(), of_rows, of_columns);
                }
            }
        }
    }
}

/// All tiles of a block of the result.
///
/// # Safety
/// As for [`rounded`](super::rounded), and the panels are those of the block, of that depth.
#[inline(always)]
unsafe fn tiles<F: Multiplied<N>, const N: usize>(
    output: Output,
    (rows, columns): (Range<usize>, Range<usize>),
    depth: usize,
    of_rows: Panels,
    of_columns: Panels,
) {
    for (v, j) in columns.clone().step_by(N).enumerate() {
        for (u, i) in rows.clone().step_by(HEIGHT).enumerate() {
            let panels = [of_rows.at(u), of_columns.at(v)];
            let mut sums = MaybeUninit::<Sums<N>>::uninit();
            // SAFETY: the panels are whole; `add` writes every sum; the tile's rows and columns are of the result.
            unsafe {
                F::add(depth, panels, [of_rows.lost, of_columns.lost], sums.as_mut_ptr());
                let here = (i..rows.end.min(i + HEIGHT), j..columns.end.min(j + N));
                write(output, sums.assume_init_ref(), here);
            }
        }
    }
}

/// Writes a tile, or what there is of it at an edge. Each number is rounded once.
///
/// # Safety
/// `dst` is valid for writes, and unless `beta` is zero for reads, of those rows and columns.
#[inline(always)]
unsafe fn write<const N: usize>(
    Output { beta, dst, strides, alpha }: Output,
    Sums(sums): &Sums<N>,
    (rows, columns): (Range<usize>, Range<usize>),
) {
    let value = |sum: f32, to: f32| beta.mul_add(to, alpha * sum);
    for (sums, j) in sums.iter().zip(columns) {
        // SAFETY: the caller vouches for the place.
        unsafe {
            let to = dst.add(rows.start * strides.0 + j * strides.1);
            if strides.0 == 1 && rows.len() == HEIGHT {
                if beta == 0.0 {
                    to.cast::<[f32; HEIGHT]>().write(sums.map(|sum| alpha * sum));
                } else {
                    let to = &mut *to.cast::<[f32; HEIGHT]>();
                    to.iter_mut().zip(sums).for_each(|(to, sum)| *to = value(*sum, *to));
                }
                continue;
            }
            for (i, sum) in sums.iter().enumerate().take(rows.len()) {
                let to = to.add(i * strides.0);
                *to = if beta == 0.0 { alpha * sum } else { value(*sum, *to) };
            }
        }
    }
}
