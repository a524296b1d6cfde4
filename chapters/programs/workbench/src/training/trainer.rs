//! The loop itself, and what it carries from step to step.

use super::average::LastEpochs;
use super::checkpoint::Folder;
use super::display::Display;
use super::history::{Epoch, Evaluation, History, Timing};
use super::interrupt::Watch;
use super::options::Options;
use super::peers::{made_once, sum_over_processes};
use super::task::{Prepared, Task};
use crate::error::{Error, Result};
use crate::parameters;
use rand::SeedableRng;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{Float, LossAndGradients, Optimizer, ParamGradients, Rng};
use std::time::Instant;

// ANCHOR: state
/// A run between two steps: everything a checkpoint has to hold beside parameters and moments.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Finished epochs.
    pub(super) epoch: usize,
    /// Steps done in the epoch at hand, and in the whole run.
    pub(super) step: usize,
    pub(super) steps: u64,
    /// Sums over the epoch at hand.
    pub(super) loss: f64,
    pub(super) divisor: f64,
    pub(super) tokens: u64,
    pub(super) norm: f64,
    pub(super) seconds: f64,
    /// Loss and norm of the last step: for the message when the next one fails.
    pub(super) last: Option<(f64, f64)>,
    /// How often the optimiser has moved each parameter, in a checkpoint.
    pub(super) moved: Vec<i32>,
    /// Learning rate and clipping: a run may go on with others.
    pub(super) settings: Value,
    /// The instructions that multiply rounded factors: a run stays with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<String>,
    /// The multiplications from which on products round: likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rounds_from: Option<u64>,
    pub(super) history: History,
}
// ANCHOR_END: state

impl State {
    /// Where the run stands.
    pub(super) fn place(&self) -> String {
        match (self.epoch, self.step) {
            (0, 0) => "before the first step".to_owned(),
            (epoch, 0) => format!("after epoch {epoch}"),
            (epoch, step) => format!("after step {step} of epoch {}", epoch + 1),
        }
    }
}

pub(super) struct Trainer<'a, T: Task> {
    pub(super) task: &'a T,
    pub(super) model: &'a mut T::Model,
    pub(super) options: &'a Options,
    pub(super) state: State,
    pub(super) optimizer: Box<dyn Optimizer>,
    /// The parameters at the ends of the last epochs.
    pub(super) ends: LastEpochs,
    pub(super) display: Display,
    pub(super) watch: Watch,
    /// Whether any of several processes was interrupted.
    pub(super) stop: bool,
    pub(super) folder: Option<Folder>,
    /// When the last checkpoint was saved, and what it holds.
    pub(super) saved: (Instant, String),
}

impl<'a, T: Task> Trainer<'a, T> {
    pub(super) fn begin(
        task: &'a T,
        model: &'a mut T::Model,
        options: &'a Options,
    ) -> Result<Self> {
        let optimizer = options.method.begin();
        let display = Display::new(&options.title, options.progress && options.leads());
        let (state, watch) = (State::default(), Watch::begin());
        let ends = LastEpochs::new(options.average);
        let folder = options.checkpoint.as_deref().filter(|_| options.leads());
        let folder = folder.map(Folder::open).transpose()?;
        let saved = (Instant::now(), String::new());
        let mut trainer = Trainer {
            task,
            model,
            options,
            state,
            optimizer,
            ends,
            display,
            watch,
            stop: false,
            folder,
            saved,
        };
        trainer.restore()?;
        Ok(trainer)
    }

    // ANCHOR: loop
    pub(super) fn run(mut self) -> Result<History> {
        while !self.is_finished() {
            let mut rng = stream(self.options.seed, self.state.epoch, u64::MAX, 0);
            let batches = self.task.batches(&mut rng);
            for batch in self.begin_epoch(&batches)? {
                self.step(batch)?;
                self.pause()?;
            }
            self.finish_epoch()?;
            if !self.is_finished() {
                self.pause()?;
            }
        }
        if let Some(mean) = self.ends.mean() {
            parameters::assign(self.model, mean);
        }
        Ok(self.state.history)
    }

    // ANCHOR: step
    /// One step: the batch as a whole, loss and gradients of its shards, clipping, the optimiser.
    fn step(&mut self, examples: &[usize]) -> Result<()> {
        let begin = Instant::now();
        let (seed, epoch, step) = self.place();
        let rng = &mut stream(seed, epoch, step, u64::MAX);
        let batch = self.task.prepare(examples, self.options.shards, rng);
        let mut batch = batch.part(self.options.own_shards());
        self.task.begin_step(self.state.steps, &mut batch.shards);
        let sum = self.sum_over_shards(&batch)?;
        let mean = 1.0 / batch.divisor;
        let (loss, norm) = (f64::from(sum.loss), f64::from(sum.gradients.norm() * mean));
        self.refuse_infinite(loss * f64::from(mean), norm)?;
        let clip = self.options.clip.map_or(1.0, |clip| (clip / norm as Float).min(1.0));
        self.descend(&sum.gradients, mean * clip);
        self.count(loss, &batch, norm, begin.elapsed().as_secs_f64());
        Ok(())
    }
    // ANCHOR_END: step
    // ANCHOR_END: loop

    /// The sum over all shards: those of a group at once, the groups in turn, and over the processes.
    fn sum_over_shards(&mut self, batch: &Prepared<T::Shard>) -> Result<LossAndGradients> {
        let (task, model) = (self.task, &*self.model);
        let (seed, epoch, step) = self.place();
        let (size, first) = (self.options.shards_a_group(), self.options.own_shards().start);
        let groups: Vec<_> = batch.shards.chunks(size).enumerate().collect();
        let own = LossAndGradients::accumulate(&groups, &mut |(group, shards)| {
            LossAndGradients::of_shards(shards, first + group * size, |tape, number, shard| {
                tape.begin_training(stream(seed, epoch, step, number as u64));
                task.loss(model, tape, shard)
            })
        });
        let Some(peers) = &self.options.peers else { return Ok(own) };
        let stop = self.watch.requested();
        let (sum, stop) = sum_over_processes(peers.as_ref(), self.model, &own, stop)?;
        self.stop = stop;
        Ok(sum)
    }

    /// Where the step at hand draws its random numbers: seed, epoch, step.
    fn place(&self) -> (u64, usize, u64) {
        (self.options.seed, self.state.epoch, self.state.step as u64)
    }

    /// The batches of the epoch that are still to come.
    fn begin_epoch<'b>(&self, batches: &'b [Vec<usize>]) -> Result<&'b [Vec<usize>]> {
        assert!(!batches.is_empty(), "an epoch has batches");
        let left = batches.get(self.state.step..).ok_or_else(|| {
            let (step, steps) = (self.state.step, batches.len());
            let reason = format!("stands at step {step} of an epoch that has {steps}: other data?");
            Error::file(&self.record(), reason)
        })?;
        let later = batches.len() * (self.options.epochs - self.state.epoch - 1);
        self.display.begin(self.state.steps, self.state.steps + (left.len() + later) as u64);
        Ok(left)
    }

    fn descend(&mut self, gradients: &ParamGradients, factor: Float) {
        let rate = self.task.rate(&self.options.schedule, self.state.steps + 1);
        self.optimizer.set_learning_rate(rate);
        self.optimizer.scaled_step(self.model, gradients, factor);
    }

    fn count(&mut self, loss: f64, batch: &Prepared<T::Shard>, norm: f64, seconds: f64) {
        let state = &mut self.state;
        state.step += 1;
        state.steps += 1;
        state.loss += loss;
        state.divisor += f64::from(batch.divisor);
        state.tokens += batch.tokens as u64;
        state.norm += norm;
        state.seconds += seconds;
        let mean = loss / f64::from(batch.divisor);
        state.last = Some((mean, norm));
        let (epoch, epochs) = (state.epoch + 1, self.options.epochs);
        let speed = state.tokens as f64 / state.seconds;
        self.display
            .step(|| format!("epoch {epoch}/{epochs}  loss {mean:.3}  {speed:.0} tokens/s"));
    }

    // ANCHOR: refuse
    /// Stops before the parameters are touched by a number that is none.
    fn refuse_infinite(&self, loss: f64, norm: f64) -> Result<()> {
        // Adam squares what is left after clipping: that must be a number, too.
        let clipped = self.options.clip.map_or(norm as Float, |clip| clip.min(norm as Float));
        let square = clipped * clipped;
        if norm.is_finite() && loss.is_finite() && square.is_finite() {
            return Ok(());
        }
        let what = if loss.is_finite() {
            format!("the gradient's norm is {norm}")
        } else {
            format!("the loss is {loss}")
        };
        let (epoch, step) = (self.state.epoch + 1, self.state.step + 1);
        Err(self.diverged(&format!("epoch {epoch}, step {step}: {what}")))
    }
    // ANCHOR_END: refuse

    fn diverged(&self, what: &str) -> Error {
        let last = match self.state.last {
            Some((loss, norm)) => {
                format!("the step before, the loss was {loss:.4} and the gradient's norm {norm:.4}")
            }
            None => {
                let reason = "it was the first step, so no learning rate is to blame: the numbers \
                              that it begins with are too large, or the data's";
                return Error::Diverged(format!("{what}; {reason}"));
            }
        };
        let rate = self.task.rate(&self.options.schedule, self.state.steps + 1);
        let clip = self.options.clip.map_or("off".to_owned(), |clip| clip.to_string());
        let kept = match &self.folder {
            Some(_) => {
                let (file, place) = (self.record(), &self.saved.1);
                format!("; {} was saved {place}, add --resume to begin there", file.display())
            }
            None => String::new(),
        };
        Error::Diverged(format!(
            "{what}; {last}. Try a smaller learning rate (now {rate}) \
             or clip gradients at a smaller norm (now {clip}){kept}"
        ))
    }

    fn finish_epoch(&mut self) -> Result<()> {
        let (task, model, epoch) = (self.task, &*self.model, self.state.epoch + 1);
        let peers = self.options.peers.as_deref();
        let evaluation = made_once(peers, || Ok(task.evaluate(model, epoch)))?;
        if let Some(what) = evaluation.as_ref().and_then(Evaluation::not_finite) {
            let epoch = self.state.epoch + 1;
            let what = format!("epoch {epoch}, after its last step: in the evaluation, {what}");
            return Err(self.diverged(&what));
        }
        let state = &mut self.state;
        let epoch = Epoch {
            epoch: state.epoch + 1,
            steps: state.steps,
            loss: state.loss / state.divisor,
            gradient_norm: state.norm / state.step as f64,
            learning_rate: task.rate(&self.options.schedule, state.steps),
            evaluation,
        };
        let tokens_per_second = state.tokens as f64 / state.seconds.max(1e-9);
        let timing = Timing { seconds: state.seconds, tokens_per_second };
        self.display.epoch(&epoch, self.options.epochs, &timing);
        state.history.epochs.push(epoch);
        state.history.timings.push(timing);
        let history = std::mem::take(&mut state.history);
        let (epoch, steps, last) = (state.epoch + 1, state.steps, state.last);
        *state = State { epoch, steps, last, history, ..State::default() };
        self.ends.keep(self.model);
        if self.is_finished() || self.saved.0.elapsed().as_secs_f64() >= 1.0 {
            self.save()
        } else {
            Ok(())
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state.epoch >= self.options.epochs
    }
}

// ANCHOR: stream
/// The random numbers of one shard of one step (`u64::MAX` is the batch as a whole): its place, written into the generator's key.
fn stream(seed: u64, epoch: usize, step: u64, shard: u64) -> Rng {
    let mut key = [0; 32];
    let place = [seed, epoch as u64, step, shard];
    for (part, number) in key.chunks_exact_mut(8).zip(place) {
        part.copy_from_slice(&number.to_le_bytes());
    }
    Rng::from_seed(key)
}
// ANCHOR_END: stream
