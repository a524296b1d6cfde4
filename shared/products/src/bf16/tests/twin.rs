//! What copies hold and the instructions for tiles compute, in loops: the oracle on any processor.

use super::super::pack::{Block, Factor};
use super::super::tiles::{Machine, Panels, SIDE};
use multiversion::multiversion;
use std::num::NonZero;

/// The manual's pseudocode of `TDPBF16PS`: two sums for each entry, of even and of odd numbers, which are
/// added at the end of a block. Numbers below 2⁻¹²⁶ are 0.
#[derive(Clone, Copy)]
pub(super) struct Loops;

impl Machine for Loops {
    type Ready = ();
    const IS_PORTABLE: bool = true;

    unsafe fn pack<F: Factor, const BY_ROWS: bool>(
        dst: *mut u32,
        Block { src, strides, rows, depth }: Block,
        width: usize,
    ) {
        // SAFETY: the caller vouches for a factor of that shape, and for room.
        unsafe {
            let words = words::<F, BY_ROWS>(
                |i, k| *src.offset(i as isize * strides.0 + k as isize * strides.1),
                (rows, depth),
                width,
            );
            dst.copy_from_nonoverlapping(words.as_ptr(), words.len());
        }
    }

    fn ready() {}

    unsafe fn multiply(_: (), panels: &[Panels], blocks: NonZero<usize>, sums: *mut f32) {
        let mut all = [[0.0; SIDE]; SIDE];
        for (panels, block) in
            panels.iter().flat_map(|p| (0..blocks.get()).map(move |block| (p, block)))
        {
            // SAFETY: the caller vouches for blocks of 32 numbers of 32 rows, and of as many columns.
            let [rows, columns] = panels.map(|panel| unsafe {
                std::slice::from_raw_parts(panel.add(block * SIDE * 32), SIDE * 32)
            });
            add(&mut all, rows, columns);
        }
        for (n, sum) in all.as_flattened().iter().enumerate() {
            // SAFETY: the caller vouches for 32 × 32 numbers.
            unsafe { *sums.add(n) = *sum };
        }
    }
}

/// One block.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma"))]
fn add(sums: &mut [[f32; SIDE]; SIDE], rows: &[u16], columns: &[u16]) {
    for (sums, column) in sums.iter_mut().zip(columns.chunks_exact(32)) {
        let mut parts = [[0.0; SIDE]; 2];
        for (pair, y) in rows.chunks_exact(2 * SIDE).zip(column.chunks_exact(2)) {
            for (n, part) in parts.iter_mut().enumerate() {
                for (i, part) in part.iter_mut().enumerate() {
                    // Products of bf16 are exact.
                    *part = normal(*part + number(pair[2 * i + n]) * number(y[n]));
                }
            }
        }
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = normal(*sum + normal(parts[0][i] + parts[1][i]));
        }
    }
}

#[inline(always)]
fn number(bits: u16) -> f32 {
    normal(f32::from_bits(u32::from(bits) << 16))
}

/// A number, or 0 for one that is subnormal.
#[inline(always)]
fn normal(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0 } else { x }
}

/// The nearest number of bf16, of two the even one; 0 for one that is subnormal.
fn rounded(x: f32) -> f32 {
    let bits = normal(x).to_bits();
    if x.is_nan() { x } else { f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & !0xffff) }
}

/// The parts of a number as their definition has them: rounded to bf16, and what that lost, rounded. The first is
/// finite where both are kept.
pub(super) fn parts(x: f32, is_split: bool) -> [f32; 2] {
    let upper = match rounded(x) {
        rounded if !is_split || !rounded.is_infinite() => rounded,
        _ if x.is_infinite() => 1f32.copysign(x),
        _ => f32::from_bits(x.to_bits() & !0xffff),
    };
    [upper, if is_split { rounded(x - upper) } else { 0.0 }]
}

/// What [`Factor::pack`] writes.
pub(super) fn words<F: Factor, const BY_ROWS: bool>(
    number: impl Fn(usize, usize) -> f32,
    (rows, depth): (usize, usize),
    width: usize,
) -> Vec<u32> {
    let deep = depth.next_multiple_of(F::DEPTH);
    let bits = |i: usize, k: usize, part: usize| -> u32 {
        if i < rows && k < depth { parts(number(i, k), F::SPLIT)[part].to_bits() } else { 0 }
    };
    let pair = |i: usize, k: usize, part: usize| bits(i, k, part) >> 16 | bits(i, k + 1, part);
    let mut words = Vec::new();
    for first in (0..rows).step_by(width) {
        let panel = || first..first + width;
        if F::WIDE {
            words.extend(
                (0..deep).flat_map(|k| panel().map(move |i| (i, k))).map(|(i, k)| bits(i, k, 0)),
            );
            continue;
        }
        for part in 0..1 + usize::from(F::SPLIT) {
            if BY_ROWS {
                for (block, i) in (0..deep).step_by(32).flat_map(|k| panel().map(move |i| (k, i))) {
                    words.extend((0..16).map(|p| pair(i, block + 2 * p, part)));
                }
            } else {
                let pairs = (0..deep).step_by(2).flat_map(|k| panel().map(move |i| (i, k)));
                words.extend(pairs.map(|(i, k)| pair(i, k, part)));
            }
        }
    }
    words
}
