//! Small tasks, whose examples lie in memory.

use super::{Options, Prepared, Schedule, Task, shuffled_batches};
use crate::error::Result;
use serde_json::{Value, json};
use shared::{Float, Module, Rng, Tape, Var};
use std::marker::PhantomData;

/// A training without checkpoints: examples are shuffled before every epoch and cut into batches, each of
/// them on one tape.
#[derive(Clone, Copy, Debug)]
pub struct Drill {
    /// How many there are.
    pub examples: usize,
    /// How many of them a batch has.
    pub batch: usize,
    /// Passes over the examples.
    pub epochs: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// The longest gradient that is not shortened.
    pub clip: Option<Float>,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Drill {
    /// Trains a model. `prepare` makes a batch of the examples with these numbers, and says how many terms
    /// its loss has; `loss` is their sum.
    ///
    /// ```
    /// use shared::{Float, Linear, Matrix, squared_error};
    /// use workbench::training::{Drill, Schedule};
    /// let mut line = Linear::new(1, 1, &mut shared::rng(0));
    /// let schedule = Schedule::constant(0.1);
    /// let drill = Drill { examples: 60, batch: 20, epochs: 100, schedule, clip: None, seed: 0 };
    /// drill.train(
    ///     &mut line,
    ///     |points, _| (Matrix::from_fn(1, points.len(), |_, j| points[j] as Float / 60.0), points.len()),
    ///     |line, tape, x| squared_error(line.forward(tape.constant(x.clone())), &x.map(|x| 2.0 * x + 1.0)),
    /// )?;
    /// assert!((line.weight.value()[0] - 2.0).abs() < 0.02);
    /// # Ok::<(), workbench::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a number is not finite, or Ctrl-C was pressed.
    pub fn train<M: Module + Sync, B: Send + Sync>(
        self,
        model: &mut M,
        prepare: impl Fn(&[usize], &mut Rng) -> (B, usize) + Sync,
        loss: impl for<'t> Fn(&M, &'t Tape, &B) -> Var<'t> + Sync,
    ) -> Result<()> {
        let Drill { epochs, schedule, clip, seed, .. } = self;
        let options = Options { epochs, schedule, clip, shards: 1, seed, ..Options::default() };
        super::train(&Examples { drill: self, prepare, loss, of: PhantomData }, model, &options)?;
        Ok(())
    }
}

struct Examples<M, B, P, L> {
    drill: Drill,
    prepare: P,
    loss: L,
    of: PhantomData<fn(M) -> B>,
}

impl<M, B, P, L> Task for Examples<M, B, P, L>
where
    M: Module + Sync,
    B: Send + Sync,
    P: Fn(&[usize], &mut Rng) -> (B, usize) + Sync,
    L: for<'t> Fn(&M, &'t Tape, &B) -> Var<'t> + Sync,
{
    type Model = M;
    type Shard = B;

    fn describe(&self) -> Value {
        json!({"examples": self.drill.examples, "batch": self.drill.batch})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.drill.examples, self.drill.batch, rng)
    }

    fn prepare(&self, examples: &[usize], _: usize, rng: &mut Rng) -> Prepared<B> {
        let (batch, terms) = (self.prepare)(examples, rng);
        Prepared::mean(vec![batch], terms)
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, batch: &B) -> Var<'t> {
        (self.loss)(model, tape, batch)
    }
}
