//! 10.13: who may look at whom.

use crate::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Sight = fn(&[usize], &[usize], bool) -> Matrix;

const HIDDEN: f32 = f32::NEG_INFINITY;

pub fn exercise() -> Exercise<Sight> {
    Exercise {
        number: 13,
        title: "who may look at whom",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "one long sentence",
                hint: "another sentence",
                answer: |q, k, causal| from(q, k, |i, j| !causal || j <= i),
            },
            Wrong {
                name: "only the words before",
                hint: "itself",
                answer: |q, k, causal| {
                    from(q, k, |i, j| owner(q, i) == owner(k, j) && (!causal || j < i))
                },
            },
            Wrong {
                name: "the other triangle",
                hint: "a later word",
                answer: |q, k, causal| {
                    from(q, k, |i, j| owner(q, i) == owner(k, j) && (!causal || j >= i))
                },
            },
            Wrong {
                name: "never causal",
                hint: "a later word",
                answer: |q, k, _| solutions::sight(q, k, false),
            },
            Wrong {
                name: "a column a key",
                hint: "(7, 6)",
                answer: |q, k, causal| solutions::sight(q, k, causal).transpose(),
            },
            Wrong {
                name: "zero times infinity",
                hint: "0·∞",
                answer: |q, k, causal| {
                    let hidden =
                        solutions::sight(q, k, causal).map(|s| f32::from(u8::from(s != 0.0)));
                    hidden * HIDDEN
                },
            },
            Wrong {
                name: "one word too many",
                hint: "another sentence",
                answer: |q, k, causal| {
                    from(q, k, |i, j| {
                        let b = owner(q, i);
                        (k[b - 1]..=k[b]).contains(&j) && (!causal || j <= i)
                    })
                },
            },
            Wrong {
                name: "minus a thousand",
                hint: "−∞",
                answer: |q, k, causal| solutions::sight(q, k, causal).map(|s| s.max(-1000.0)),
            },
        ],
    }
}

fn check(sight: Sight) {
    let (source, target) = (&[0, 3, 4, 7][..], &[0, 2, 5, 6][..]);
    for (queries, keys, causal) in [
        (target, source, false),
        (source, source, false),
        (target, target, true),
        (&[0, 4], &[0, 1], false), // one sentence
        (&[0, 0, 2, 2, 3, 3], &[0, 1, 1, 4, 6, 6], false),
        (&[0, 0, 2, 2, 3, 3], &[0, 0, 2, 2, 3, 3], true),
        (&[0, 0, 0, 0, 3, 3], &[0, 2, 2, 2, 5, 6], false),
        (&[0], &[0], true), // none
        (&[0], &[0], false),
    ] {
        let [n, m] = [queries, keys].map(|offsets| offsets[offsets.len() - 1]);
        let mask = sight(queries, keys, causal);
        let call = format!("sight({queries:?}, {keys:?}, {causal})");
        assert!(mask.shape() == (m, n), "{call} has the shape {:?}, not ({m}, {n})", mask.shape());
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let found = mask[(j, i)];
            let of_own = owner(queries, i) == owner(keys, j);
            let why = match (of_own && (!causal || j <= i), found) {
                (true, 0.0) | (false, HIDDEN) => continue,
                (_, nan) if nan.is_nan() => "0·∞ is not a number: choose, do not multiply",
                (_, 1.0) => "what the mask says adds to the scores: 0 changes nothing",
                (false, low) if low < -1.0 => "hidden is −∞: a score may be as low as any number",
                (false, _) if !of_own => "that word is in another sentence",
                (false, _) => "that is a later word of its sentence",
                (true, _) if causal && i == j => "a word sees itself",
                (true, _) if causal => "a word sees those of its sentence that come before it",
                (true, _) => "without the causal mask it may look at all words of its sentence",
            };
            panic!("{call}: query {i} and key {j} get {found}\nhint: {why}");
        }
    }
}

/// The sentence of column `i`.
fn owner(offsets: &[usize], i: usize) -> usize {
    offsets.iter().filter(|offset| **offset <= i).count()
}

fn from(queries: &[usize], keys: &[usize], sees: impl Fn(usize, usize) -> bool) -> Matrix {
    let last = |offsets: &[usize]| offsets[offsets.len() - 1];
    Matrix::from_fn(last(keys), last(queries), |j, i| if sees(i, j) { 0.0 } else { HIDDEN })
}
