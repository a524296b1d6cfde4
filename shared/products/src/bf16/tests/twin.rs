//! What the instructions for tiles compute, in loops: the oracle of copies and blocks on any processor.

use super::super::tiles::{Machine, Panels, SIDE};
use multiversion::multiversion;
use std::num::NonZero;

/// The manual's pseudocode of `TDPBF16PS`: two sums for each entry, of even and of odd numbers, which are
/// added at the end of a block. Numbers below 2⁻¹²⁶ are 0.
#[derive(Clone, Copy)]
pub(super) struct Loops;

impl Machine for Loops {
    type Ready = ();

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
