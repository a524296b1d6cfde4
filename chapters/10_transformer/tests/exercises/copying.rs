//! 10.5: a block that copies.

use crate::solutions;
use crate::support::softmax;
use shared::Matrix;
use std::f32::consts::PI;
use tests::exercises::{Exercise, Kind, Wrong};

type CopyingBlock = fn() -> [Matrix; 4];

pub fn exercise() -> Exercise<CopyingBlock> {
    Exercise {
        number: 5,
        title: "a block that copies",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "places as they come",
                hint: "larger queries and keys",
                answer: || {
                    let [_, _, w_v, w_o] = solutions::copying_block();
                    [rows(4..6, 1.0), rows(4..6, 1.0), w_v, w_o]
                },
            },
            Wrong {
                name: "the word is a part of the query",
                hint: "own word",
                answer: || {
                    let [_, _, w_v, w_o] = solutions::copying_block();
                    [rows(0..6, 40.0), rows(0..6, 40.0), w_v, w_o]
                },
            },
            Wrong {
                name: "the source's word is not louder",
                hint: "x's own word",
                answer: || {
                    let [w_q, w_k, _, w_o] = solutions::copying_block();
                    [w_q, w_k, rows(0..4, 1.0), w_o]
                },
            },
            Wrong {
                name: "the place is copied too",
                hint: "rows 4 and 5",
                answer: || {
                    let [w_q, w_k, _, w_o] = solutions::copying_block();
                    [w_q, w_k, rows(0..6, 3.0), w_o]
                },
            },
            Wrong {
                name: "the place is lost",
                hint: "rows 4 and 5",
                answer: || {
                    let [w_q, w_k, w_v, w_o] = solutions::copying_block();
                    [w_q, w_k, w_v - rows(4..6, 1.0), w_o] // y = x − x in these rows
                },
            },
            Wrong {
                name: "the next place",
                hint: "is elsewhere",
                answer: || {
                    let [mut w_q, w_k, w_v, w_o] = solutions::copying_block();
                    let (sin, cos) = (PI / 4.0).sin_cos();
                    let turn = Matrix::from_row_slice(2, 2, &[cos, -sin, sin, cos]);
                    w_q.view_mut((4, 4), (2, 2)).copy_from(&(turn * 40.0));
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "of another shape",
                hint: "not (6, 6)",
                answer: || {
                    let [w_q, w_k, w_v, w_o] = solutions::copying_block();
                    [w_q.rows(4, 2).into_owned(), w_k.rows(4, 2).into_owned(), w_v, w_o]
                },
            },
            Wrong {
                name: "queries and keys not yet large enough",
                hint: "larger queries and keys",
                answer: || {
                    let [_, _, w_v, w_o] = solutions::copying_block();
                    [rows(4..6, 2.5), rows(4..6, 2.5), w_v, w_o]
                },
            },
        ],
    }
}

fn check(copying_block: CopyingBlock) {
    let w = copying_block();
    for (w, name) in w.iter().zip(["W_q", "W_k", "W_v", "W_o"]) {
        assert!(w.shape() == (6, 6), "{name} is {:?}, not (6, 6)", w.shape());
        assert!(w.iter().all(|w| w.is_finite()), "{name} is not finite: {w}");
    }
    let [w_q, w_k, w_v, w_o] = &w;
    for seed in 0..12 {
        let n = [8, 1, 5, 3][seed % 4];
        let word = |i: usize, side: usize| (i * i + 3 * i + seed + 2 * side * (i + seed % 3)) % 4;
        let [x, h] = [1, 0].map(|side| tokens(n, |i| word(i, side)));
        let scores = (w_k * &h).tr_mul(&(w_q * &x)) / 6.0_f32.sqrt();
        let alpha = softmax(scores);
        let y = &x + w_o * (w_v * &h) * &alpha;
        assert!(y.iter().all(|y| y.is_finite()), "the block's result is not finite: {y}");
        for i in 0..n {
            let (own, source) = (word(i, 1), word(i, 0));
            let place =
                format!("place {i} of {n}, x has the word {own}, the source the word {source}:");
            let others = (0..4).filter(|k| *k != source).map(|k| y[(k, i)]);
            let lead = y[(source, i)] - others.fold(f32::MIN, f32::max);
            let weight = alpha[(i, i)];
            if lead < 1.0 && weight < 0.9 {
                let (q, k) = (w_q.columns(0, 4).amax(), w_k.columns(0, 4).amax());
                let hint = if q > 0.0 && k > 0.0 {
                    "queries and keys know words as well: a query should know the place alone, not its own word"
                } else if alpha.column(i).imax() == i {
                    "that is the largest weight: a softmax becomes sharper with larger queries and keys"
                } else {
                    "the largest weight is elsewhere: which keys have the largest product with a query that is a place?"
                };
                panic!(
                    "{place} its weight on the word at its own place is {weight:.2}, and rows 0 to 3 are {:.2?}\n\
                     hint: {hint}",
                    &y.column(i).as_slice()[..4]
                );
            }
            assert!(
                lead >= 1.0,
                "{place} rows 0 to 3 are {:.2?}, and the source's word leads by {lead:.2}, not by 1\n\
                 hint: it looks at the right place, with weight {weight:.2}, but must outvote x's own word",
                &y.column(i).as_slice()[..4]
            );
            let moved = (y.view((4, i), (2, 1)) - x.view((4, i), (2, 1))).amax();
            assert!(
                moved <= 0.05,
                "{place} rows 4 and 5 have moved by {moved:.2}\n\
                 hint: they are x's place already: values should bring the word alone"
            );
        }
    }
}

/// Tokens of these words at the places 0, 1, … (6, n).
fn tokens(n: usize, word: impl Fn(usize) -> usize) -> Matrix {
    Matrix::from_fn(6, n, |row, i| match row {
        4 => (PI / 4.0 * i as f32).cos(),
        5 => (PI / 4.0 * i as f32).sin(),
        _ => f32::from(u8::from(row == word(i))),
    })
}

/// A diagonal matrix, `size` in these rows.
fn rows(range: std::ops::Range<usize>, size: f32) -> Matrix {
    Matrix::from_fn(6, 6, |i, j| if i == j && range.contains(&i) { size } else { 0.0 })
}
