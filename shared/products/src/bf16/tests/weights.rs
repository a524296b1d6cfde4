//! Weights are copied once, and what is copied is what they are.

use super::super::prepacked::declare;
use super::*;
use crate::arithmetic::copied_here;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of the copy of a left factor in panels of 32 rows.
fn bytes(kind: Kind, rows: usize, depth: usize) -> u64 {
    let of_a_number = if kind.is_split() || kind == Kind::Wide { 4 } else { 2 };
    (rows.next_multiple_of(32) * depth.next_multiple_of(32) * of_a_number) as u64
}

/// Weights that are told of sweep out those that are gone, another test's that have just changed as well.
static ALONE: Mutex<()> = Mutex::new(());

/// What `f` makes and copies.
fn copied_by<T>(f: impl FnOnce() -> T) -> (T, u64) {
    let before = copied_here();
    let result = f();
    (result, copied_here() - before)
}

/// Both products of a layer in which the weight is the left factor.
fn both(kind: Kind, w: &Matrix, x: &Matrix, dy: &Matrix) -> [Matrix; 2] {
    [kind.product(&w.whole(), &x.whole()), kind.product(&w.t(), &dy.whole())]
}

#[test]
fn a_weight_is_copied_once_a_step_and_never_stale() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (m, k, n) = (64, 96, 33);
    let (x, dy) = (numbers(k, n, 1), numbers(m, n, 2));
    for kind in kinds() {
        let mut w = Arc::new(numbers(m, k, 3));
        let shard = |w: &Matrix| {
            let (found, bytes) = copied_by(|| both(kind, w, &x, &dy));
            assert_eq!(found, [product(w, &x), product(&w.t(), &dy)], "{kind:?}");
            bytes
        };
        declare(&w);
        let weights = bytes(kind, m, k) + bytes(kind, k, m);
        let others = shard(&w) - weights; // the right factors
        assert_eq!(shard(&w), others, "{kind:?}: a second shard copies no weight");
        for step in 4..7 {
            Arc::make_mut(&mut w).copy_from(&numbers(m, k, step));
            // Nobody was told of the change: it is as any matrix.
            assert_eq!(shard(&w), weights + others, "{kind:?}");
            // It is copied at once.
            assert_eq!(copied_by(|| declare(&w)), ((), weights), "{kind:?}");
            assert_eq!(copied_by(|| declare(&w)), ((), 0), "{kind:?}: it has not changed");
            assert_eq!(shard(&w), others, "{kind:?}");
        }
        // A block of it is no weight; another kind of product needs another kind of copy.
        let block = w.rows(0, 32);
        assert_eq!(kind.product(&block.whole(), &x.whole()), product(&block, &x), "{kind:?}");
        let other = Kind::Loops { split: kind != Kind::Loops { split: true } };
        assert_eq!(both(other, &w, &x, &dy), [product(&*w, &x), product(&w.t(), &dy)]);
        // Others may come to lie where one was.
        drop(w);
        for seed in 0..8 {
            let w = Arc::new(numbers(m, k, seed));
            declare(&w);
            shard(&w);
        }
    }
}

/// Several blocks deep and high, from which a kept copy is read at the right places: the bits of a copy made then.
#[test]
fn kept_copies_give_the_bits_of_others() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let noise =
        |m: usize, n: usize| Matrix::from_fn(m, n, |i, j| (1.0 + (i * 31 + j * 17) as f32).sin());
    for (m, k, n) in [(33, 40, 35), (545, 70, 12), (40, 1100, 33)] {
        let (w, x, dy) = (noise(m, k), noise(k, n), noise(m, n));
        for kind in kinds() {
            let expected = both(kind, &w, &x, &dy);
            let w = Arc::new(w.clone());
            declare(&w);
            let [_, again] = [(); 2].map(|()| copied_by(|| both(kind, &w, &x, &dy)).1);
            let none = copied_by(|| both(kind, &w.clone_owned(), &x, &dy)).1;
            assert!(again < none, "{kind:?}: copies are kept");
            let found = std::thread::scope(|scope| {
                let threads = [(); 2].map(|()| scope.spawn(|| both(kind, &w, &x, &dy)));
                threads.map(|thread| thread.join().unwrap())
            });
            assert!(found.iter().all(|found| *found == expected), "{kind:?} {m} × {k} × {n}");
        }
    }
}
