//! Copies of factors word by word, and nothing beside them: what products at edges would not show.

use super::super::pack::{Block, Factor};
use super::twin::words;
use super::*;

/// What no copy holds: two numbers of bf16 that are none.
const UNTOUCHED: u32 = 0xffc1_ffc1;

fn check<F: Factor, const BY_ROWS: bool>(width: usize) {
    let sizes = [1, 11, 12, 13, 16, 31, 32, 33, 70];
    for (rows, depth) in sizes.into_iter().flat_map(|m| [1, 2, 15, 31, 32, 33, 65].map(|k| (m, k)))
    {
        let a = Matrix::from_fn(rows, depth, |i, k| (1.0 + (i * 31 + k * 17) as f32).sin());
        let expected = words::<F, BY_ROWS>(|i, k| a[(i, k)], a.shape(), width);
        with_layouts(&a, |a| {
            let mut copy = vec![UNTOUCHED; expected.len() + 32];
            // SAFETY: a block of the view; room for the copy; the processor was asked.
            unsafe {
                F::pack::<BY_ROWS>(copy.as_mut_ptr(), Block::of(a, 0..rows, 0..depth), width)
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
    check::<Tiles<Amx, false>, false>(SIDE);
    check::<Tiles<Amx, false>, true>(SIDE);
    check::<Tiles<Amx, true>, false>(SIDE);
    check::<Tiles<Amx, true>, true>(SIDE);
}
