//! One training loop for all chapters: shards of a batch on parallel threads, clipping, a schedule,
//! evaluation, early stopping, progress, checkpoints.
//!
//! What is trained is a [`Task`]; how, is in [`Options`]; [`train`] does it.
//!
//! All randomness of a step follows from the run's seed and the step's place, so a run that begins
//! again in the middle draws what it would have drawn.

mod display;
mod history;
mod interrupt;
mod schedule;
mod shards;

pub use history::{Epoch, Evaluation, History, Timing};
pub(crate) use interrupt::EXIT_CODE as INTERRUPTED;
pub use schedule::{Schedule, Shape};
pub use serde_json::{Value, json};
pub use shards::{loss_and_gradients, mean_loss};

use crate::Rng;
use crate::error::{Error, Result};
use crate::matrix::{Float, Matrix};
use crate::module::Module;
use crate::optimizers::{Adam, Method, Optimizer, ParamGradients, Sgd};
use crate::tape::{Tape, Var};
use display::Display;
use interrupt::Watch;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Instant;

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
///     fn loss<'t>(&self, line: &Linear, tape: &'t Tape, points: &[usize], _: &mut Rng) -> (Var<'t>, usize) {
///         let x = Matrix::from_iterator(1, points.len(), points.iter().map(|&i| i as Float / 60.0));
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

// ANCHOR: options
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
    /// Go on from the checkpoint in the folder, if there is one.
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
// ANCHOR_END: options

/// Trains the model, and tells how it went.
///
/// # Errors
/// When a loss or a gradient is not finite (the parameters then are those before that step), when
/// a checkpoint cannot be written, read or does not fit, and when Ctrl-C was pressed
/// ([`Error::Interrupted`]).
///
/// # Panics
/// When the options have no shard, or the task has an epoch without batches.
pub fn train<T: Task>(task: &T, model: &mut T::Model, options: &Options) -> Result<History> {
    assert!(options.shards > 0, "a batch is cut into at least one shard");
    Trainer::begin(task, model, options)?.run()
}

/// A run between two steps: everything a checkpoint has to hold beside parameters and moments.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// Finished epochs.
    epoch: usize,
    /// Steps done in the epoch at hand, and in the whole run.
    step: usize,
    steps: u64,
    /// Sums over the epoch at hand.
    loss: f64,
    tokens: u64,
    norm: f64,
    seconds: f64,
    /// Loss and norm of the last step: for the message when the next one fails.
    last: Option<(f64, f64)>,
    history: History,
}

struct Trainer<'a, T: Task> {
    task: &'a T,
    model: &'a mut T::Model,
    options: &'a Options,
    state: State,
    adam: Adam,
    /// The parameters of the best evaluation.
    best: Option<Vec<Matrix>>,
    display: Display,
    watch: Watch,
}

impl<'a, T: Task> Trainer<'a, T> {
    fn begin(task: &'a T, model: &'a mut T::Model, options: &'a Options) -> Result<Self> {
        let mut adam = Adam::new(0.0);
        if let Method::Adam { beta_1, beta_2, epsilon } = options.method {
            (adam.beta_1, adam.beta_2, adam.epsilon) = (beta_1, beta_2, epsilon);
        }
        let display = Display::new(&options.title, options.progress);
        let (state, best, watch) = (State::default(), None, Watch::begin());
        Ok(Trainer { task, model, options, state, adam, best, display, watch })
    }

    // ANCHOR: loop
    fn run(mut self) -> Result<History> {
        while self.state.epoch < self.options.epochs && !self.out_of_patience() {
            let mut rng = stream(self.options.seed, self.state.epoch, 0, usize::MAX);
            let batches = self.task.batches(&mut rng);
            assert!(!batches.is_empty(), "an epoch has batches");
            let epochs_left = self.options.epochs - self.state.epoch;
            let total = self.state.steps + (batches.len() * epochs_left - self.state.step) as u64;
            self.display.begin(self.state.steps, total);
            for batch in &batches[self.state.step..] {
                self.step(batch)?;
                self.pause()?;
            }
            self.finish_epoch()?;
        }
        self.return_best();
        Ok(self.state.history)
    }

    /// One step: loss and gradients of the shards, the mean over tokens, clipping, the optimiser.
    fn step(&mut self, batch: &[usize]) -> Result<()> {
        let (begin, task, model) = (Instant::now(), self.task, &*self.model);
        let (seed, epoch, step) = (self.options.seed, self.state.epoch, self.state.step);
        let (loss, tokens, gradients) =
            shards::run_shards(&cut(batch, self.options.shards), |tape, number, examples| {
                task.loss(model, tape, examples, &mut stream(seed, epoch, step, number))
            });
        let mean = 1.0 / tokens.max(1) as Float;
        let (loss, norm) = (f64::from(loss), f64::from(gradients.norm() * mean));
        self.refuse_infinite(loss * f64::from(mean), norm)?;
        let clip = self.options.clip.map_or(1.0, |clip| (clip / norm as Float).min(1.0));
        self.descend(&gradients, mean * clip);
        self.count(loss, tokens, norm, begin.elapsed().as_secs_f64());
        Ok(())
    }
    // ANCHOR_END: loop

    fn descend(&mut self, gradients: &ParamGradients, factor: Float) {
        let learning_rate = self.options.schedule.at(self.state.steps + 1);
        match self.options.method {
            Method::Sgd => Sgd { learning_rate }.scaled_step(self.model, gradients, factor),
            Method::Adam { .. } => {
                self.adam.learning_rate = learning_rate;
                self.adam.scaled_step(self.model, gradients, factor);
            }
        }
    }

    fn count(&mut self, loss: f64, tokens: usize, norm: f64, seconds: f64) {
        let state = &mut self.state;
        state.step += 1;
        state.steps += 1;
        state.loss += loss;
        state.tokens += tokens as u64;
        state.norm += norm;
        state.seconds += seconds;
        let mean = loss / tokens.max(1) as f64;
        state.last = Some((mean, norm));
        let (epoch, epochs) = (state.epoch + 1, self.options.epochs);
        let speed = state.tokens as f64 / state.seconds;
        self.display
            .step(|| format!("epoch {epoch}/{epochs}  loss {mean:.3}  {speed:.0} tokens/s"));
    }

    /// Stops before the parameters are touched by a number that is none.
    fn refuse_infinite(&self, loss: f64, norm: f64) -> Result<()> {
        // Adam squares what is left after clipping: that must be a number, too.
        let clipped = self.options.clip.map_or(norm as Float, |clip| clip.min(norm as Float));
        let square = clipped * clipped;
        if norm.is_finite() && loss.is_finite() && square.is_finite() {
            return Ok(());
        }
        let what = match loss.is_finite() {
            true => format!("the gradient's norm is {norm}"),
            false => format!("the loss is {loss}"),
        };
        Err(self.diverged(&what))
    }

    fn diverged(&self, what: &str) -> Error {
        let (epoch, step) = (self.state.epoch + 1, self.state.step + 1);
        let last = match self.state.last {
            Some((loss, norm)) => {
                format!("the step before, the loss was {loss:.4} and the gradient's norm {norm:.4}")
            }
            None => "it was the first step".to_owned(),
        };
        let rate = self.options.schedule.at(self.state.steps + 1);
        let clip = self.options.clip.map_or("off".to_owned(), |clip| clip.to_string());
        Error::Diverged(format!(
            "epoch {epoch}, step {step}: {what}; {last}. Try a smaller learning rate (now {rate}) \
             or clip gradients at a smaller norm (now {clip})"
        ))
    }

    /// What happens between two steps.
    fn pause(&mut self) -> Result<()> {
        match self.watch.requested() {
            true => Err(Error::Interrupted("interrupted; nothing was saved".to_owned())),
            false => Ok(()),
        }
    }

    fn finish_epoch(&mut self) -> Result<()> {
        let evaluation = self.task.evaluate(self.model, self.state.epoch + 1);
        if let Some(what) = evaluation.as_ref().and_then(Evaluation::not_finite) {
            return Err(self.diverged(&format!("in the evaluation, {what}")));
        }
        let state = &mut self.state;
        let epoch = Epoch {
            epoch: state.epoch + 1,
            steps: state.steps,
            loss: state.loss / state.tokens.max(1) as f64,
            gradient_norm: state.norm / state.step as f64,
            learning_rate: f64::from(self.options.schedule.at(state.steps)),
            evaluation,
        };
        let tokens_per_second = state.tokens as f64 / state.seconds;
        let timing = Timing { seconds: state.seconds, tokens_per_second };
        self.display.epoch(&epoch, self.options.epochs, &timing);
        state.history.epochs.push(epoch);
        state.history.timings.push(timing);
        let history = std::mem::take(&mut state.history);
        let (epoch, steps, last) = (state.epoch + 1, state.steps, state.last);
        *state = State { epoch, steps, last, history, ..State::default() };
        self.keep_best();
        Ok(())
    }

    fn best_epoch(&self) -> Option<&Epoch> {
        self.state.history.best(|new, old| self.task.better(new, old))
    }

    fn keep_best(&mut self) {
        let is_best = self.best_epoch().is_some_and(|best| best.epoch == self.state.epoch);
        if self.options.patience.is_some() && is_best {
            let mut values = Vec::new();
            self.model.for_each_parameter(|_, param| values.push(param.value().clone()));
            self.best = Some(values);
        }
    }

    fn return_best(&mut self) {
        let Some(best) = self.best.take() else { return };
        let mut values = best.into_iter();
        self.model.for_each_parameter(|_, param| {
            *param.value_mut() = values.next().expect("as many as there were");
        });
    }

    fn out_of_patience(&self) -> bool {
        let (Some(patience), Some(best)) = (self.options.patience, self.best_epoch()) else {
            return false;
        };
        let since = |epoch: &&Epoch| epoch.epoch > best.epoch && epoch.evaluation.is_some();
        self.state.history.epochs.iter().filter(since).count() >= patience
    }
}

/// Every n-th example for each of n shards: where a batch is sorted by length, all shards get long
/// and short ones.
fn cut(batch: &[usize], shards: usize) -> Vec<Vec<usize>> {
    let shard = |first: usize| batch[first..].iter().copied().step_by(shards).collect();
    (0..shards.min(batch.len())).map(shard).collect()
}

// ANCHOR: stream
/// The random numbers of one shard of one step: its place, written into the generator's key.
fn stream(seed: u64, epoch: usize, step: usize, shard: usize) -> Rng {
    let mut key = [0; 32];
    let place = [seed, epoch as u64, step as u64, shard as u64];
    for (part, number) in key.chunks_exact_mut(8).zip(place) {
        part.copy_from_slice(&number.to_le_bytes());
    }
    Rng::from_seed(key)
}
// ANCHOR_END: stream

/// A short name for data: two files with the same fingerprint hold the same bytes, for all
/// practical purposes. Not for keeping secrets.
///
/// ```
/// use shared::training::fingerprint;
/// assert_eq!(fingerprint(b"attention"), fingerprint(b"attention"));
/// assert_ne!(fingerprint(b"attention"), fingerprint(b"attentiom"));
/// ```
pub fn fingerprint(bytes: &[u8]) -> String {
    // FNV-1a (Fowler, Noll, Vo), eight bytes at a time and in four lanes, for speed.
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut lanes = [0xcbf2_9ce4_8422_2325_u64; 4];
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    for block in bytes.chunks(32) {
        for (lane, bytes) in lanes.iter_mut().zip(block.chunks(8)) {
            *lane = (*lane ^ word(bytes)).wrapping_mul(PRIME);
            *lane ^= *lane >> 32;
        }
    }
    let mix = |sum: u64, lane: &u64| (sum.rotate_left(23) ^ lane).wrapping_mul(PRIME);
    format!("{:016x}", lanes.iter().fold(bytes.len() as u64, mix))
}
