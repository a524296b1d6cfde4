//! One training loop for all chapters: shards of a batch on parallel threads, clipping, a schedule,
//! evaluation, early stopping, progress, checkpoints.
//!
//! What is trained is a [`Task`]; how, is in [`Options`]; [`train`] does it.
//!
//! All randomness of a step follows from the run's seed and the step's place, so a run that begins
//! again in the middle draws what it would have drawn.

mod checkpoint;
mod display;
mod fingerprint;
mod history;
mod interrupt;
mod resume;
mod schedule;
mod shards;
mod tensors;
mod trainer;

pub use checkpoint::holds_checkpoint;
pub(crate) use checkpoint::occupied;
pub use fingerprint::fingerprint;
pub use history::{Epoch, Evaluation, History, Timing};
pub(crate) use interrupt::EXIT_CODE as INTERRUPTED;
pub use schedule::{Schedule, Shape};
pub use serde_json::{Value, json};
pub use shards::{loss_and_gradients, mean_loss};
pub use tensors::{load_parameters, read_description, save_parameters};

use crate::Rng;
use crate::error::Result;
use crate::matrix::Float;
use crate::module::Module;
use crate::optimizers::Method;
use crate::tape::{Tape, Var};
use rand::seq::SliceRandom;
use std::path::PathBuf;
use trainer::Trainer;

// ANCHOR: task
/// What is trained: examples, which the loop knows by number only, and a loss.
///
/// ```
/// use shared::training::{Options, Schedule, Task, Value, json, shuffled_batches, train};
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
/// # Ok::<(), shared::error::Error>(())
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
/// let batches = shared::training::shuffled_batches(5, 2, &mut shared::rng(0));
/// assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
/// ```
pub fn shuffled_batches(examples: usize, batch: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..examples).collect();
    order.shuffle(rng);
    order.chunks(batch).map(<[usize]>::to_vec).collect()
}

/// How a task is trained.
#[derive(Clone, Debug)]
pub struct Options {
    /// Named in front of what is shown; "" for nothing.
    pub title: String,
    /// Passes over the data.
    pub epochs: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// The optimiser.
    pub method: Method,
    /// The longest gradient that is not shortened.
    pub clip: Option<Float>,
    /// Into how many parts a batch is cut, which may run at the same time. Part of the run, not of
    /// the machine: sums depend on it in their last digits.
    pub shards: usize,
    /// Of all the run's random numbers.
    pub seed: u64,
    /// Stop after so many evaluations without a better one, and in any case return the best
    /// parameters. `None`: return the last.
    pub patience: Option<usize>,
    /// Show a bar, and a line an epoch.
    pub progress: bool,
    /// The folder that receives checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// Save a checkpoint after so many seconds. (One is saved after each epoch in any case.)
    pub checkpoint_seconds: f64,
    /// Save a checkpoint after so many steps as well.
    pub checkpoint_steps: Option<u64>,
    /// Go on from the checkpoint in the folder, if there is one. Epochs, learning rate and clipping
    /// may be others than before.
    pub resume: bool,
}

impl Options {
    /// The options of one of several runs: with its name shown, and in a folder of its own below
    /// that of the checkpoints.
    pub fn part(&self, name: &str) -> Options {
        let checkpoint = self.checkpoint.as_ref().map(|folder| folder.join(name));
        Options { title: name.to_owned(), checkpoint, ..self.clone() }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            title: String::new(),
            epochs: 10,
            schedule: Schedule::constant(1e-3),
            method: Method::ADAM,
            clip: Some(1.0),
            shards: 2,
            seed: 0,
            patience: None,
            progress: false,
            checkpoint: None,
            checkpoint_seconds: 60.0,
            checkpoint_steps: None,
            resume: false,
        }
    }
}

/// Trains the model, and tells how it went.
///
/// # Errors
/// When a loss or a gradient is not finite (the parameters then are those before that step), when
/// a checkpoint cannot be written, read or does not fit, and when Ctrl-C was pressed
/// ([`Error::Interrupted`](crate::error::Error::Interrupted)).
///
/// # Panics
/// When the options have no shard, or the task has an epoch without batches.
pub fn train<T: Task>(task: &T, model: &mut T::Model, options: &Options) -> Result<History> {
    assert!(options.shards > 0, "a batch is cut into at least one shard");
    Trainer::begin(task, model, options)?.run()
}
