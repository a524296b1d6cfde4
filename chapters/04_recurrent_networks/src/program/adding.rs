//! The adding problem: two numbers of a long sequence are marked; what is their sum?

use crate::layers::Recurrent;
use crate::steps::Steps;
use rand::RngExt;
use shared::{Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, rng, squared_error};
use std::marker::PhantomData;
use workbench::error::Result;
use workbench::training::{
    self, Epoch, Evaluation, Options, Prepared, Schedule, Shape, Task, Value, cut, json,
};

pub const LENGTHS: [usize; 4] = [10, 50, 100, 200];
pub const HIDDEN: usize = 64;
pub const BATCH: usize = 32;
pub const LOOK: usize = 100;
const TESTED: usize = 512;
/// The mean squared error of always answering 1: the variance of a sum of two numbers from U(0, 1).
pub const ALWAYS_ONE: Float = 1.0 / 6.0;
/// Below it the problem counts as solved: a hundredth of 1/6, an error of 0.04 as a root.
pub const SOLVED: Float = ALWAYS_ONE / 100.0;

/// One sequence, (2, length), and its answer.
///
/// Row 0 holds numbers from U(0, 1), row 1 marks two of them with 1: one in the first half, one in
/// the second (Hochreiter & Schmidhuber 1997, experiment 4, in the form of Arjovsky et al. 2016).
pub fn example(length: usize, seed: usize) -> (Matrix, Float) {
    let rng = &mut rng(seed as u64);
    let mut x = Matrix::zeros(2, length);
    for t in 0..length {
        x[(0, t)] = rng.random();
    }
    let marked = [rng.random_range(0..length / 2), rng.random_range(length / 2..length)];
    for t in marked {
        x[(1, t)] = 1.0;
    }
    (x.clone(), marked.iter().map(|t| x[(0, *t)]).sum())
}

/// Sequences of one length, packed, and their answers (1, B).
pub fn batch(length: usize, seeds: &[usize]) -> (Matrix, Steps, Matrix) {
    let steps = Steps::new(&vec![length; seeds.len()]);
    let (mut x, mut sums) = (Matrix::zeros(2, steps.tokens()), Matrix::zeros(1, seeds.len()));
    for (i, seed) in seeds.iter().enumerate() {
        let (sequence, sum) = example(length, *seed);
        for t in 0..length {
            x.set_column(steps.column(i, t), &sequence.column(t));
        }
        sums[i] = sum;
    }
    (x, steps, sums)
}

/// A layer that reads, and one number that it answers after the last token.
pub struct Adder<L> {
    /// Reads.
    pub layer: L,
    /// (1, H): answers.
    pub readout: Linear,
}

impl<L: Recurrent> Adder<L> {
    /// Fresh weights.
    pub fn new(hidden: usize, rng: &mut Rng) -> Self {
        Adder { layer: L::new(2, hidden, rng), readout: Linear::new(hidden, 1, rng) }
    }

    /// The answers (1, B) to packed sequences (2, N).
    pub fn forward<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t> {
        let h = self.layer.forward(x, steps, None); //              (H, N)
        self.readout.forward(h.select_columns(&steps.last())) //    (1, B)
    }
}

impl<L: Recurrent> Module for Adder<L> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("layer", &mut self.layer);
        visitor.module("readout", &mut self.readout);
    }
}

pub trait Answers: Module + Sync {
    /// The answers (1, B) to packed sequences (2, N).
    fn answers<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t>;
}

impl<L: Recurrent + Sync> Answers for Adder<L> {
    fn answers<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t> {
        self.forward(x, steps)
    }
}

/// Seeds of sequences that no test has: the tests' seeds are even.
pub fn training_seeds(count: usize, rng: &mut Rng) -> Vec<usize> {
    (0..count).map(|_| rng.random::<u32>() as usize * 2 + 1).collect()
}

/// The task for the training loop: an epoch is [`LOOK`] batches of sequences never seen before.
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

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        (0..LOOK).map(|_| training_seeds(BATCH, rng)).collect()
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
        let (x, steps, sums) = batch(self.length, &seeds);
        let tape = Tape::without_gradients();
        let error = squared_error(model.answers(tape.constant(x), &steps), &sums).scalar();
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
    let mut model = Adder::new(HIDDEN, &mut rng(seed));
    let curve = train(&mut model, length, steps, seed)?;
    Ok((model, curve))
}

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
    let task = Adding { length, model: PhantomData };
    let history = training::train(&task, model, &options)?;
    let error = |epoch: &Epoch| epoch.evaluation.as_ref().map(|test| test.loss as Float);
    Ok(history.epochs.iter().filter_map(error).collect())
}
