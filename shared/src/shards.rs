//! One batch on several threads, the same numbers on any number of them.

use crate::matrix::Float;
use crate::optimizers::ParamGradients;
use crate::tape::{Tape, Var};
use rayon::prelude::*;

/// The loss of a batch, summed over its shards, and its gradients.
///
/// Each shard runs forward and backward on a tape of its own, on whatever thread is free. How a
/// batch is cut into shards is the caller's choice, never the machine's, and the shards' gradients
/// are added in their order: the result does not depend on the number of threads, to the last bit.
///
/// ```
/// use shared::{Matrix, Param, Tape, loss_and_gradients};
/// let w = Param::new(Matrix::from_element(1, 1, 2.0));
/// let (loss, gradients) = loss_and_gradients(&[1.0, 3.0], |tape, x| tape.param(&w).square() * *x);
/// assert_eq!(loss, 16.0); //                                1·w² + 3·w²
/// assert_eq!(gradients.get(w.id()).unwrap()[0], 16.0); // 2·w·(1 + 3)
/// ```
pub fn loss_and_gradients<S: Sync>(
    shards: &[S],
    loss: impl for<'t> Fn(&'t Tape, &S) -> Var<'t> + Sync,
) -> (Float, ParamGradients) {
    let (loss, _, gradients) = run_shards(shards, |tape, _, shard| (loss(tape, shard), 0));
    (loss, gradients)
}

// ANCHOR: shards
/// Loss, tokens and gradients of a batch; `loss` gets each shard with its number.
pub fn run_shards<S: Sync>(
    shards: &[S],
    loss: impl for<'t> Fn(&'t Tape, usize, &S) -> (Var<'t>, usize) + Sync,
) -> (Float, usize, ParamGradients) {
    let run = |(number, shard): (usize, &S)| {
        let tape = Tape::new();
        let (loss, tokens) = loss(&tape, number, shard);
        (loss.scalar(), tokens, ParamGradients::from(loss.backward()))
    };
    let parts: Vec<_> = shards.par_iter().enumerate().map(run).collect();
    let add = |mut sum: (Float, usize, ParamGradients), part: (Float, usize, ParamGradients)| {
        sum.2.merge(part.2);
        (sum.0 + part.0, sum.1 + part.1, sum.2)
    };
    parts.into_iter().reduce(add).unwrap_or_default() // in the order of the shards
}
// ANCHOR_END: shards

/// The mean loss of data that nobody trains on, without gradients: `loss` returns the sum over a
/// shard and what it is a sum of, as a training task's loss does.
///
/// ```
/// use shared::{Matrix, mean_loss};
/// let shards = [vec![1.0, 2.0], vec![6.0]];
/// let loss = mean_loss(&shards, |tape, shard| {
///     (tape.constant(Matrix::from_element(1, 1, shard.iter().sum())), shard.len())
/// });
/// assert_eq!(loss, 3.0);
/// ```
pub fn mean_loss<S: Sync>(
    shards: &[S],
    loss: impl for<'t> Fn(&'t Tape, &S) -> (Var<'t>, usize) + Sync,
) -> f64 {
    let run = |shard: &S| {
        let tape = Tape::without_gradients();
        let (loss, tokens) = loss(&tape, shard);
        (f64::from(loss.scalar()), tokens)
    };
    let parts: Vec<_> = shards.par_iter().map(run).collect();
    let (loss, tokens) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    loss / tokens as f64
}
