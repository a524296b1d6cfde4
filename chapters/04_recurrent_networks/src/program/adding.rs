//! The training on the adding problem.

pub use crate::adding::*;

use crate::layers::Recurrent;
use rand::RngExt;
use shared::{Float, Rng, Tape, Var, rng, squared_error};
use std::marker::PhantomData;
use workbench::error::Result;
use workbench::training::{
    self, Evaluation, Options, Prepared, Schedule, Shape, Task, Value, cut, json,
};

const BATCH: usize = 32;
/// Steps from one test to the next.
pub const LOOK: usize = 100;
const TESTED: usize = 512;

/// An epoch is [`LOOK`] batches of sequences never seen before.
struct Adding<M> {
    length: usize,
    model: PhantomData<fn() -> M>,
}

impl<M: Answers> Task for Adding<M> {
    type Model = M;
    type Shard = Vec<usize>;

    fn describe(&self) -> Value {
        json!({"task": "adding", "length": self.length, "batch": BATCH})
    }

    /// Seeds of sequences that no test has: the tests' seeds are even.
    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        let seeds = (0..LOOK * BATCH).map(|_| rng.random::<u32>() as usize * 2 + 1);
        seeds.collect::<Vec<_>>().chunks(BATCH).map(<[usize]>::to_vec).collect()
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.len())
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, examples: &Vec<usize>) -> Var<'t> {
        let (x, steps, sums) = batch(self.length, examples);
        squared_error(model.answers(tape.constant(x), &steps), &sums)
    }

    fn evaluate(&self, model: &M, _: usize) -> Option<Evaluation> {
        let seeds: Vec<usize> = (0..TESTED).map(|i| 2 * i).collect();
        let error = self.loss(model, &Tape::no_grad(), &seeds).scalar();
        Some(Evaluation::new(f64::from(error) / TESTED as f64))
    }
}

/// Trains one cell at one length with one seed: the model, and the test's mean squared error every
/// [`LOOK`] steps.
pub fn learn<L: Recurrent + Sync>(
    length: usize,
    steps: usize,
    seed: u64,
) -> Result<(Adder<L>, Vec<Float>)> {
    let mut model = Adder::new(&mut rng(seed));
    let curve = train(&mut model, length, steps, seed)?;
    Ok((model, curve))
}

/// Trains a model; the test's mean squared error every [`LOOK`] steps.
pub fn train<M: Answers>(
    model: &mut M,
    length: usize,
    steps: usize,
    seed: u64,
) -> Result<Vec<Float>> {
    let shape = Shape::Cosine { total: steps as u64 };
    let options = Options {
        epochs: steps / LOOK,
        schedule: Schedule { rate: 5e-3, warmup: 0, shape },
        clip: Some(1.0),
        shards: 1,
        seed,
        ..Options::default()
    };
    let history = training::train(&Adding { length, model: PhantomData }, model, &options)?;
    let tests = history.epochs.iter().filter_map(|epoch| epoch.evaluation.as_ref());
    Ok(tests.map(|test| test.loss as Float).collect())
}
