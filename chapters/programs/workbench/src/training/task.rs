//! What is trained.

use super::history::Evaluation;
use super::schedule::Schedule;
use rand::seq::SliceRandom;
use serde_json::Value;
use shared::{Float, Module, Rng, Tape, Var};
use std::ops::Range;

// ANCHOR: task
/// What is trained: examples, which the loop knows by number only, and a loss.
///
/// ```
/// use shared::{Float, Linear, Matrix, Rng, Tape, Var, squared_error};
/// use workbench::training::{Options, Prepared, Schedule, Task, Value};
/// use workbench::training::{cut, json, shuffled_batches, train};
///
/// /// Points on the line y = 2x + 1.
/// struct Line;
///
/// impl Task for Line {
///     type Model = Linear;
///     type Shard = Vec<usize>;
///     fn describe(&self) -> Value {
///         json!({"task": "line", "points": 60, "batch": 20})
///     }
///     fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
///         shuffled_batches(60, 20, rng)
///     }
///     fn prepare(&self, points: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
///         Prepared::mean(cut(points, shards), points.len())
///     }
///     fn loss<'t>(
///         &self,
///         line: &Linear,
///         tape: &'t Tape,
///         points: &Vec<usize>,
///     ) -> Var<'t> {
///         let x = Matrix::from_fn(1, points.len(), |_, j| points[j] as Float / 60.0);
///         let y = x.map(|x| 2.0 * x + 1.0);
///         squared_error(line.forward(tape.constant(x)), &y)
///     }
/// }
///
/// let mut line = Linear::new(1, 1, &mut shared::rng(0));
/// let options = Options { epochs: 100, schedule: Schedule::constant(0.1), ..Options::default() };
/// let history = train(&Line, &mut line, &options)?;
/// assert!(history.epochs[99].loss < 1e-4);
/// assert!((line.weight.value()[0] - 2.0).abs() < 0.02);
/// # Ok::<(), workbench::error::Error>(())
/// ```
pub trait Task: Sync {
    /// The model whose parameters are trained.
    type Model: Module + Sync;
    /// The part of a batch that one thread computes at a time.
    type Shard: Send + Sync;

    /// What must be the same when a run goes on from a checkpoint: the kind of the model, its
    /// sizes, the data ([`fingerprint`](crate::fingerprint)), the batch size. Printed where they differ.
    fn describe(&self) -> Value;

    /// The batches of an epoch, each a list of examples. Called once at the start of each epoch.
    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>>;

    /// Makes a whole batch ready, in so many shards or fewer. What is drawn or counted for the batch
    /// as a whole, such as the number of masked words that a loss is divided by, is drawn and
    /// counted here, once.
    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Self::Shard>;

    /// Gives the shards of a step how many steps of the run were before it: for a loss whose parts weigh
    /// differently as training goes on. By default nobody asks.
    fn begin_step(&self, _before: u64, _shards: &mut [Self::Shard]) {}

    /// The rate of a step of the run, counted from 1: by default the schedule's.
    fn rate(&self, schedule: &Schedule, step: u64) -> Float {
        schedule.at(step)
    }

    /// The loss of a shard, 1 × 1; the batch's is the sum over its shards, divided by
    /// [`Prepared::divisor`].
    fn loss<'t>(&self, model: &Self::Model, tape: &'t Tape, shard: &Self::Shard) -> Var<'t>;

    /// Judges the model on other data after an epoch (counted from 1); `None`: not this time.
    fn evaluate(&self, _model: &Self::Model, _epoch: usize) -> Option<Evaluation> {
        None
    }
}
// ANCHOR_END: task

/// A batch as its shards compute it.
///
/// The denominators of a loss belong to the whole batch: if each shard divided by its own number of
/// words, a word in a short shard would count more than one in a long shard. A loss with one
/// denominator sums its terms in the shards and is divided once, by `divisor`. One with several,
/// such as (sum over masked words)/M + (sum over pairs)/N, has them in its shards, and `divisor` 1.
#[derive(Clone, Debug)]
pub struct Prepared<S> {
    /// The shards.
    pub shards: Vec<S>,
    /// How many tokens the batch has, to report the speed.
    pub tokens: usize,
    /// What the sum over the shards is divided by.
    pub divisor: Float,
}

impl<S> Prepared<S> {
    /// A batch whose loss is a mean over its tokens.
    pub fn mean(shards: Vec<S>, tokens: usize) -> Prepared<S> {
        Prepared { shards, tokens, divisor: tokens.max(1) as Float }
    }

    /// The same with these shards alone.
    pub(super) fn part(mut self, part: Range<usize>) -> Prepared<S> {
        self.shards.truncate(part.end);
        self.shards.drain(..part.start.min(self.shards.len()));
        self
    }
}

/// Every n-th example for each of n shards (of fewer, if the examples are fewer): where a batch is
/// sorted by length, all shards get long and short ones.
///
/// ```
/// assert_eq!(workbench::training::cut(&[5, 4, 3, 2, 1], 2), [vec![5, 3, 1], vec![4, 2]]);
/// ```
pub fn cut(examples: &[usize], shards: usize) -> Vec<Vec<usize>> {
    (0..shards.min(examples.len()))
        .map(|first| examples[first..].iter().copied().step_by(shards).collect())
        .collect()
}

/// The numbers `0..examples` in random order, cut into batches; the last may be shorter.
///
/// ```
/// let batches = workbench::training::shuffled_batches(5, 2, &mut shared::rng(0));
/// assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
/// let mut all = batches.concat();
/// all.sort();
/// assert_eq!(all, [0, 1, 2, 3, 4]);
/// ```
pub fn shuffled_batches(examples: usize, batch: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..examples).collect();
    order.shuffle(rng);
    order.chunks(batch).map(<[usize]>::to_vec).collect()
}
