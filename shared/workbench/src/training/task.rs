//! What is trained.

use super::history::Evaluation;
use rand::seq::SliceRandom;
use serde_json::Value;
use shared::{Module, Rng, Tape, Var};

// ANCHOR: task
/// What is trained: examples, which the loop knows by number only, and a loss.
///
/// ```
/// use workbench::training::{Options, Schedule, Task, Value, json, shuffled_batches, train};
/// use shared::{Float, Linear, Matrix, Rng, Tape, Var, squared_error};
///
/// /// Points on the line y = 2x + 1.
/// struct Line;
///
/// impl Task for Line {
///     type Model = Linear;
///     fn describe(&self) -> Value {
///         json!({"task": "line", "points": 60, "batch": 20})
///     }
///     fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
///         shuffled_batches(60, 20, rng)
///     }
///     fn loss<'t>(
///         &self,
///         line: &Linear,
///         tape: &'t Tape,
///         points: &[usize],
///         _: &mut Rng,
///     ) -> (Var<'t>, usize) {
///         let x = Matrix::from_fn(1, points.len(), |_, j| points[j] as Float / 60.0);
///         let y = x.map(|x| 2.0 * x + 1.0);
///         (squared_error(line.forward(tape.constant(x)), &y), points.len())
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

    /// What must be the same when a run goes on from a checkpoint: the kind of the model, its
    /// sizes, the data ([`fingerprint`]), the batch size. Printed where they differ.
    fn describe(&self) -> Value;

    /// The batches of an epoch, each a list of examples. Called once at the start of each epoch.
    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>>;

    /// The loss *summed* over some examples of a batch, 1 × 1, and what it is a sum of, usually
    /// tokens: gradients are divided by that number of the whole batch. `rng` is for dropout.
    fn loss<'t>(
        &self,
        model: &Self::Model,
        tape: &'t Tape,
        examples: &[usize],
        rng: &mut Rng,
    ) -> (Var<'t>, usize);

    /// Judges the model on other data after an epoch (counted from 1); `None`: not this time.
    fn evaluate(&self, _model: &Self::Model, _epoch: usize) -> Option<Evaluation> {
        None
    }

    /// Whether an evaluation is better than another: by default, when its loss is lower.
    fn better(&self, new: &Evaluation, old: &Evaluation) -> bool {
        new.loss < old.loss
    }
}
// ANCHOR_END: task

/// The numbers `0..examples` in random order, cut into batches; the last may be shorter.
///
/// ```
/// let batches = workbench::training::shuffled_batches(5, 2, &mut shared::rng(0));
/// assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
/// ```
pub fn shuffled_batches(examples: usize, batch: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..examples).collect();
    order.shuffle(rng);
    order.chunks(batch).map(<[usize]>::to_vec).collect()
}
