//! Copies of factors word by word, and nothing beside them: what products at edges would not show.

use super::super::pack::{Factor, pack};
use super::accuracy::parts;
use super::*;

/// What no copy holds: two numbers of bf16 that are none.
const UNTOUCHED: u32 = 0xffc1_ffc1;

/// A factor of `rows × depth` numbers as its definition has it.
fn expected<F: Factor, const BY_ROWS: bool>(a: &Matrix, width: usize) -> Vec<u32> {
    let depth = a.ncols().next_multiple_of(F::DEPTH);
    let bits = |i: usize, k: usize, part: usize| -> u32 {
        let there = i < a.nrows() && k < a.ncols();
        if there { (parts(a[(i, k)])[part] as f32).to_bits() } else { 0 }
    };
    let mut words = Vec::new();
    for first in (0..a.nrows()).step_by(width) {
        if F::WIDE {
            let places = (0..depth).flat_map(|k| (first..first + width).map(move |i| (i, k)));
            words.extend(places.map(|(i, k)| bits(i, k, 0)));
            continue;
        }
        let pair = |i: usize, k: usize, part: usize| bits(i, k, part) >> 16 | bits(i, k + 1, part);
        for part in 0..1 + usize::from(F::SPLIT) {
            if BY_ROWS {
                for (block, i) in
                    (0..depth).step_by(32).flat_map(|k| (first..first + width).map(move |i| (k, i)))
                {
                    words.extend((0..16).map(|p| pair(i, block + 2 * p, part)));
                }
            } else {
                let pairs =
                    (0..depth).step_by(2).flat_map(|k| (first..first + width).map(move |i| (i, k)));
                words.extend(pairs.map(|(i, k)| pair(i, k, part)));
            }
        }
    }
    words
}

fn check<F: Factor, const BY_ROWS: bool>(width: usize) {
    let sizes = [1, 11, 12, 13, 16, 31, 32, 33, 70];
    for (rows, depth) in sizes.into_iter().flat_map(|m| [1, 2, 15, 31, 32, 33, 65].map(|k| (m, k)))
    {
        let a = Matrix::from_fn(rows, depth, |i, k| (1.0 + (i * 31 + k * 17) as f32).sin());
        let expected = expected::<F, BY_ROWS>(&a, width);
        with_layouts(&a, |a| {
            let mut copy = vec![UNTOUCHED; expected.len() + 32];
            let strides = (a.strides().0 as isize, a.strides().1 as isize);
            // SAFETY: the view's own pointer, strides and shape; room for the copy; the processor was asked.
            unsafe {
                pack::<F, BY_ROWS>(copy.as_mut_ptr(), a.as_ptr(), strides, rows, depth, width)
            };
            let beside = copy.split_off(expected.len());
            assert!(copy == expected, "{rows} × {depth} in panels of {width}");
            assert!(
                beside.iter().all(|word| *word == UNTOUCHED),
                "{rows} × {depth}: written beside"
            );
        });
    }
}

#[test]
fn copies_hold_what_is_rounded_and_nothing_else_is_written() {
    if !has_bf16() {
        return;
    }
    for width in [COLUMNS, HEIGHT] {
        check::<Half, false>(width);
        check::<Wide, false>(width);
        check::<Split, false>(width);
    }
    check::<Tiles<Loops, false>, false>(SIDE);
    check::<Tiles<Loops, false>, true>(SIDE);
    check::<Tiles<Loops, true>, false>(SIDE);
    check::<Tiles<Loops, true>, true>(SIDE);
}
