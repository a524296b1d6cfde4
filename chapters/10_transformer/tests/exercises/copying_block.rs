//! 10.5: a block that copies.

use super::solutions;
use super::support::softmax;
use shared::Matrix;
use std::f32::consts::PI;
use tests::exercises::{Exercise, wrong};

type CopyingBlock = fn() -> [Matrix; 4];

pub const EXERCISE: Exercise<CopyingBlock> = Exercise {
    check,
    wrong: &[
        wrong("a softmax becomes sharper with larger queries and keys", || {
            let [_, _, w_v, w_o] = solutions::copying_block();
            [rows(4..6, 1.0), rows(4..6, 1.0), w_v, w_o]
        }),
        wrong("a query should know the position alone, not its own word", || {
            let [_, _, w_v, w_o] = solutions::copying_block();
            [rows(0..6, 40.0), rows(0..6, 40.0), w_v, w_o]
        }),
        wrong("it looks at the right position, but must outvote x's own word", || {
            let [w_q, w_k, _, w_o] = solutions::copying_block();
            [w_q, w_k, rows(0..4, 1.0), w_o]
        }),
        wrong("they are x's position already: values should bring the word alone", || {
            let [w_q, w_k, _, w_o] = solutions::copying_block();
            [w_q, w_k, rows(0..6, 3.0), w_o]
        }),
        wrong(
            "the largest weight is elsewhere: which keys have the largest product with a query that is a position?",
            || {
                let [w_q, w_k, w_v, w_o] = solutions::copying_block();
                let (mut turn, (sin, cos)) = (Matrix::identity(6, 6), (PI / 4.0).sin_cos());
                turn.view_mut((4, 4), (2, 2)).copy_from_slice(&[cos, -sin, sin, cos]);
                [turn * w_q, w_k, w_v, w_o]
            },
        ),
    ],
};

fn check(copying_block: CopyingBlock) {
    let [w_q, w_k, w_v, w_o] = &copying_block();
    for (w, name) in [w_q, w_k, w_v, w_o].into_iter().zip(["W_q", "W_k", "W_v", "W_o"]) {
        assert!(w.shape() == (6, 6), "{name} is {:?}, not (6, 6)", w.shape());
    }
    for seed in 0..12 {
        let n = [8, 1, 5, 3][seed % 4];
        let word = |i: usize, side: usize| (i * i + 3 * i + seed + 2 * side * (i + seed % 3)) % 4;
        let [x, h] = [1, 0].map(|side| tokens(n, |i| word(i, side)));
        let alpha = softmax((w_k * &h).tr_mul(&(w_q * &x)) / 6.0_f32.sqrt());
        let y = &x + w_o * (w_v * &h) * &alpha;
        for i in 0..n {
            let (own, source, y) = (word(i, 1), word(i, 0), y.column(i));
            let (weight, most, rows) = (alpha[(i, i)], alpha.column(i).imax(), y.rows(0, 4));
            let told = format!(
                "position {i} of {n}, where x has the word {own} and the source the word {source}: it looks there \
                 with weight {weight:.2}, most at position {most}, and rows 0 to 3 are {rows:.2}"
            );
            let leads = (0..4).all(|k| k == source || y[source] - y[k] >= 1.0);
            assert!(leads, "{told}: the source's word does not lead by 1");
            let moved = (y - x.column(i)).rows(4, 2).abs();
            let still = moved.iter().all(|moved| *moved <= 0.05);
            assert!(still, "{told}, but rows 4 and 5 have moved by {moved:.2}");
        }
    }
}

/// Tokens of these words at the positions 0, 1, … (6, n).
fn tokens(n: usize, word: impl Fn(usize) -> usize) -> Matrix {
    Matrix::from_fn(6, n, |row, i| match row {
        4 | 5 => [f32::cos, f32::sin][row - 4](PI / 4.0 * i as f32),
        _ => f32::from(u8::from(row == word(i))),
    })
}

/// A diagonal matrix, `size` in these rows.
fn rows(range: std::ops::Range<usize>, size: f32) -> Matrix {
    Matrix::from_fn(6, 6, |i, j| if i == j && range.contains(&i) { size } else { 0.0 })
}
