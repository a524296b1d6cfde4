//! 10.13: who may look at whom.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type AttentionMask = fn(&[usize], &[usize], bool) -> Matrix;

pub const EXERCISE: Exercise<AttentionMask> = Exercise {
    check,
    wrong: &[
        wrong("a word of another sentence is seen", |q, k, causal| {
            from(q, k, |i, j| !causal || j <= i)
        }),
        wrong("a word sees itself", |q, k, causal| {
            from(q, k, |i, j| owner(q, i) == owner(k, j) && (!causal || j < i))
        }),
        wrong(
            "a word sees those of its sentence that come before it, and no later word: is a column a query?",
            |q, k, causal| from(q, k, |i, j| owner(q, i) == owner(k, j) && (!causal || j >= i)),
        ),
        wrong("a later word of its sentence is seen", |q, k, _| solutions::sight(q, k, false)),
        wrong("a column is a query, a row a key", |q, k, causal| {
            solutions::sight(q, k, causal).transpose()
        }),
        wrong("0·∞ is not a number: choose, do not multiply", |q, k, causal| {
            solutions::sight(q, k, causal).map(|s| if s == 0.0 { f32::NAN } else { s })
        }),
        wrong(
            "the last word that is seen is the first of another sentence: an offset is where the next begins",
            |q, k, causal| {
                from(q, k, |i, j| {
                    let b = owner(q, i);
                    (k[b - 1]..=k[b]).contains(&j) && (!causal || j <= i)
                })
            },
        ),
        wrong("hidden is −∞: a score may be as low as any number", |q, k, causal| {
            solutions::sight(q, k, causal).map(|s| s.max(-1000.0))
        }),
    ],
};

fn check(sight: AttentionMask) {
    let (source, target) = (&[0, 3, 4, 7][..], &[0, 2, 5, 6][..]);
    let several = [
        (target, source, false),
        (source, source, false),
        (target, target, true),
        (&[0, 0, 2, 2, 3, 3], &[0, 1, 1, 4, 6, 6], false),
        (&[0, 0, 0, 0, 3, 3], &[0, 2, 2, 2, 5, 6], false),
    ];
    let ragged = hard::LENGTHS.map(|(_, lengths)| {
        (hard::offsets(lengths), hard::offsets(&lengths.iter().rev().copied().collect::<Vec<_>>()))
    });
    let ragged = ragged.iter().flat_map(|(q, k)| [(&q[..], &k[..], false), (q, q, true)]);
    for (queries, keys, causal) in several.into_iter().chain(ragged) {
        let right =
            from(queries, keys, |i, j| owner(queries, i) == owner(keys, j) && (!causal || j <= i));
        expect(sight(queries, keys, causal), right, 0.0)
            .of(format!("sight({queries:?}, {keys:?}, {causal})"))
            .check();
    }
}

/// The sentence of column `i`.
fn owner(offsets: &[usize], i: usize) -> usize {
    offsets.iter().filter(|offset| **offset <= i).count()
}

fn from(queries: &[usize], keys: &[usize], sees: impl Fn(usize, usize) -> bool) -> Matrix {
    let (m, n) = (keys[keys.len() - 1], queries[queries.len() - 1]);
    Matrix::from_fn(m, n, |j, i| if sees(i, j) { 0.0 } else { f32::NEG_INFINITY })
}
