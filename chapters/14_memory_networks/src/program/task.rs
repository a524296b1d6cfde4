//! Questions about stories, for the course's training loop.

use super::data::{Example, side_by_side};
use super::judge::judge;
use crate::{Alignment, Answers, Stories};
use shared::{Float, Module, Rng, Tape, Var, cross_entropy};
use std::marker::PhantomData;
use workbench::error::Result;
use workbench::training::{
    Evaluation, History, Method, Options, Prepared, Schedule, Shape, Task, Value, cut,
    shuffled_batches, train,
};

/// Questions in a batch.
pub const BATCH: usize = 32;
/// Sentences in memory, and entries of a sentence.
pub const MEMORY: usize = 16;
pub const WIDTH: usize = 24;
/// The chapter's linear start: the share of steps without a softmax over sentences.
pub const LINEAR: f64 = 0.1;

pub struct StoryTask<'a, M> {
    pub training: &'a [Example],
    pub watched: &'a [Example],
    /// So many first steps without a softmax over the sentences.
    pub linear: u64,
    pub description: Value,
    pub model: PhantomData<fn(&M)>,
}

pub struct Part {
    stories: Stories,
    answers: Vec<usize>,
    alignment: Alignment,
}

impl<M: Module + Answers + Sync> Task for StoryTask<'_, M> {
    type Model = M;
    type Shard = Part;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.training.len(), BATCH, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Part> {
        let parts = cut(examples, shards).into_iter().map(|own| Part {
            stories: side_by_side(own.iter().map(|i| &self.training[*i])),
            answers: own.iter().map(|i| self.training[*i].answer).collect(),
            alignment: Alignment::Softmax,
        });
        Prepared::mean(parts.collect(), examples.len())
    }

    /// A linear start.
    fn begin_step(&self, before: u64, parts: &mut [Part]) {
        if before < self.linear {
            parts.iter_mut().for_each(|part| part.alignment = Alignment::Linear);
        }
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, part: &Part) -> Var<'t> {
        cross_entropy(model.answer(tape, &part.stories, part.alignment).logits, &part.answers)
    }

    fn evaluate(&self, model: &M, _epoch: usize) -> Option<Evaluation> {
        (!self.watched.is_empty()).then(|| {
            let found = judge(model, self.watched);
            Evaluation::new(found.loss).with("right %", 100.0 * found.accuracy)
        })
    }
}

/// The chapter's options: Adam, gradients of norm 40 at most (the paper's number, there of a sum), a rate that falls to 0 on a
/// straight line.
pub fn options(rate: Float, epochs: usize, examples: usize) -> Options {
    let total = (epochs * examples.div_ceil(BATCH)) as u64;
    Options {
        epochs,
        schedule: Schedule { rate, warmup: 0, shape: Shape::Linear { total } },
        method: Method::new(shared::Adam::new(0.0)),
        clip: Some(40.0),
        shards: 1,
        ..Options::default()
    }
}

/// Trains a model, the first `linear` steps without a softmax over sentences.
pub fn fit<M: Module + Answers + Sync>(
    model: &mut M,
    training: &[Example],
    watched: &[Example],
    linear: u64,
    description: Value,
    options: &Options,
) -> Result<History> {
    let task = StoryTask { training, watched, linear, description, model: PhantomData };
    train(&task, model, options)
}
