//! One batch on several threads, the same numbers on any number of them.

use crate::param_gradients::ParamGradients;
use crate::tape::{Tape, Var};
use products::Float;
use rayon::prelude::*;

/// The loss of a batch, summed over its shards, and its gradients.
///
/// Each shard runs forward and backward on a tape of its own, on whatever thread is free. How a
/// batch is cut into shards is the caller's choice, never the machine's, and the shards' gradients
/// are added in a fixed tree ([`LossAndGradients`]): the result does not depend on the number of
/// threads, to the last bit.
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
    let sum = LossAndGradients::of_shards(shards, 0, |tape, _, shard| loss(tape, shard));
    (sum.loss, sum.gradients)
}

/// The loss of some shards and its gradients.
///
/// Sums of floating-point numbers depend on their order, so the order is fixed: a balanced binary
/// tree over the shards, of which the left half holds the largest power of two. Two neighbours are
/// added as soon as both are there, so that few copies of the gradients are in memory at a time;
/// and groups of 2ᵏ shards that are added elsewhere (after one another, or by other processes) and
/// then in the same way give the bits of all shards at once.
///
/// ```text
/// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
/// ```
#[derive(Default)]
pub struct LossAndGradients {
    /// The sum of the losses.
    pub loss: Float,
    /// The sum of their gradients.
    pub gradients: ParamGradients,
}

impl LossAndGradients {
    // ANCHOR: shards
    /// Runs every shard, each on a tape of its own and on whatever thread is free. `loss` gets each
    /// shard with its number, counted from `first`.
    pub fn of_shards<S: Sync>(
        shards: &[S],
        first: usize,
        loss: impl for<'t> Fn(&'t Tape, usize, &S) -> Var<'t> + Sync,
    ) -> LossAndGradients {
        LossAndGradients::tree_sum(shards, first, &|number, shard| {
            let tape = Tape::new();
            let loss = loss(&tape, number, shard);
            LossAndGradients { loss: loss.scalar(), gradients: loss.backward().into() }
        })
    }

    /// The sum of what `run` makes of every shard, with its number counted from `first`.
    pub fn tree_sum<S: Sync>(
        shards: &[S],
        first: usize,
        run: &(impl Fn(usize, &S) -> LossAndGradients + Sync),
    ) -> LossAndGradients {
        match shards {
            [] => LossAndGradients::default(),
            [shard] => run(first, shard),
            _ => {
                let (left, right) = shards.split_at(left_half(shards.len()));
                let middle = first + left.len();
                let (left, right) = rayon::join(
                    || LossAndGradients::tree_sum(left, first, run),
                    || LossAndGradients::tree_sum(right, middle, run),
                );
                left.plus(right)
            }
        }
    }
    // ANCHOR_END: shards

    /// The sum over groups that are made one after another: gradient accumulation. Memory holds the
    /// tapes of one group, and of the groups before it one sum for each level of the tree.
    pub fn accumulate<G>(groups: &[G], run: &mut impl FnMut(&G) -> LossAndGradients) -> Self {
        match groups {
            [] => LossAndGradients::default(),
            [group] => run(group),
            _ => {
                let (left, right) = groups.split_at(left_half(groups.len()));
                LossAndGradients::accumulate(left, run)
                    .plus(LossAndGradients::accumulate(right, run))
            }
        }
    }

    /// The sum of two neighbours.
    pub fn plus(mut self, right: LossAndGradients) -> LossAndGradients {
        self.loss += right.loss;
        self.gradients.merge(right.gradients);
        self
    }
}

/// The largest power of two below `n`, for n ≥ 2.
fn left_half(n: usize) -> usize {
    n.next_power_of_two() / 2
}

/// The mean loss of data that nobody trains on, without gradients: `loss` returns the sum over a
/// shard and what it is a sum of, such as tokens.
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
    let parts = shards.par_iter().map(|shard| {
        let tape = Tape::no_grad();
        let (loss, tokens) = loss(&tape, shard);
        (f64::from(loss.scalar()), tokens)
    });
    let parts: Vec<_> = parts.collect();
    let (loss, tokens) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    loss / tokens as f64
}
