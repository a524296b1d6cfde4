//! Batches of sentences of about the same length.

use rand::Rng;
use rand::seq::SliceRandom;
use std::cmp::Reverse;

/// One pass over the data: batches of indices, pairs of similar lengths together, the batches in
/// random order. `lengths` are those of source and target, `batch` is the most that a batch holds.
///
/// All pairs are sorted by the target's length, equal ones by the source's, equal ones at random;
/// each `batch` of them in turn is a batch. So every index comes exactly once, the last batch of
/// the sorted row may be smaller, and pairs of the same lengths meet others each time.
///
/// Inside a batch the longest target comes first, then the longest source, then the smallest
/// index: recurrent layers want the longest first.
///
/// How much do the lengths of a batch differ? The batches are consecutive pieces of the sorted row,
/// so the differences between longest and shortest target, summed over *all* batches, are at most
/// the difference between the longest and the shortest target of the data; with more batches than
/// lengths, most batches have targets of one length. The lengths of sources are sorted only where
/// the targets' are equal: they vary as much as sources of such targets do.
///
/// ```
/// let mut rng = shared::rng(1);
/// let lengths = [(4, 3), (5, 9), (9, 8), (4, 4), (7, 9), (4, 4)];
/// let mut batches = corpora::bucketed_batches(&lengths, 3, &mut rng);
/// batches.sort(); // their order is random
/// assert_eq!(batches, [[3, 5, 0], [4, 1, 2]]);
/// ```
///
/// # Panics
/// When `batch` is 0.
pub fn bucketed_batches(
    lengths: &[(usize, usize)],
    batch: usize,
    rng: &mut impl Rng,
) -> Vec<Vec<usize>> {
    assert!(batch > 0, "a batch of 0 pairs");
    let longest_first = |index: &usize| {
        let (source, target) = lengths[*index];
        Reverse((target, source))
    };
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.shuffle(rng);
    order.sort_by_key(longest_first); // stable: what is equal stays shuffled
    let mut batches: Vec<Vec<usize>> = order.chunks(batch).map(<[usize]>::to_vec).collect();
    for batch in &mut batches {
        batch.sort_unstable_by_key(|index| (longest_first(index), *index));
    }
    batches.shuffle(rng);
    batches
}
