//! How much memory a training takes, before it takes any.

use super::recipe::{Recipe, Words};
use shared::Float;
use std::cmp::Reverse;

/// Pairs that are judged at once on a thread, without a way back.
pub(crate) const JUDGED: usize = 64;

/// About how many bytes it takes to train a model on pairs of so many words (source, target) in
/// batches of `batch`, with so many `copies` of its parameters beside them; `None` when 64 bits cannot tell. Held against the most
/// memory that trainings took, it is right within a factor of two, where it is more than the few
/// MiB that any program takes.
///
/// Every parameter has a value, Adam's two moments, and its copies: a gradient in every shard, and a
/// value for every epoch that is kept to be averaged. What a step keeps
/// for its way back depends on the longest sentences: batches hold pairs of about the same length.
pub(crate) fn training_memory<R: Recipe>(
    config: &R::Config,
    words: Words,
    lengths: &[(usize, usize)],
    batch: usize,
    copies: usize,
) -> Option<u64> {
    let parameters = u128::from(R::parameters(config, words)?);
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable_by_key(|&(source, target)| Reverse((target, source)));
    let kept = |&(source, target): &(usize, usize)| {
        R::kept(config, words, [source as u128, target as u128])
    };
    let at_once = batch.max(rayon::current_num_threads() * JUDGED / 2);
    let largest = lengths.chunks(at_once).map(|pairs| pairs.iter().map(kept).sum::<u128>()).max();
    let numbers = parameters * (3 + copies as u128) + largest.unwrap_or(0);
    u64::try_from(numbers * size_of::<Float>() as u128).ok()
}
