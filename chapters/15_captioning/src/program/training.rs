//! A model trained on scenes that are drawn for every step: none is seen twice.

use super::data::{batch, scenes};
use super::judge::exact;
use crate::world::{Pairs, Scene};
use crate::{Captioner, Config};
use seq2seq::{Batch, Translator};
use shared::{Adam, Float, Rng, Tape, Var, mean_loss, rng};
use workbench::error::Result;
use workbench::stream;
use workbench::training::{
    Evaluation, History, Method, Options, Prepared, Schedule, Shape, Task, Value, json, train,
};

/// Steps of an epoch, scenes of a step.
const STEPS: usize = 100;
const BATCH: usize = 32;
/// The chapter's.
pub const EPOCHS: usize = 30;
const RATE: Float = 0.003;

/// Scenes of two and three things.
pub struct FreshScenes {
    steps: usize,
    batch: usize,
    watched: Vec<Scene>,
    description: Value,
}

impl FreshScenes {
    pub fn new(config: &Config, steps: usize, batch: usize, watched: usize) -> FreshScenes {
        let description =
            json!({"model": "captioning", "config": config, "steps": steps, "batch": batch});
        let watched = scenes(watched, 2..=3, Pairs::Known, &mut rng(stream(0, 3)));
        FreshScenes { steps, batch, watched, description }
    }
}

impl Task for FreshScenes {
    type Model = Captioner;
    type Shard = Batch;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    /// Numbers of scenes that do not exist yet.
    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![(0..self.batch).collect(); self.steps]
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Batch> {
        let scenes = scenes(examples.len(), 2..=3, Pairs::Known, rng);
        let shards: Vec<Batch> =
            scenes.chunks(examples.len().div_ceil(shards)).map(batch).collect();
        let tokens = shards.iter().map(Batch::tokens).sum();
        Prepared::mean(shards, tokens)
    }

    fn loss<'t>(&self, model: &Captioner, tape: &'t Tape, shard: &Batch) -> Var<'t> {
        model.training_loss(tape, shard)
    }

    fn evaluate(&self, model: &Captioner, _: usize) -> Option<Evaluation> {
        if self.watched.is_empty() {
            return None;
        }
        let shards: Vec<Batch> = self.watched.chunks(25).map(batch).collect();
        let loss = mean_loss(&shards, |tape, shard| (model.loss(tape, shard), shard.tokens()));
        Some(Evaluation::new(loss).with("exact %", 100.0 * exact(model, &self.watched)))
    }
}

/// The rate rises for an epoch and falls to 0 on a straight line.
pub fn options(epochs: usize) -> Options {
    let shape = Shape::Linear { total: (epochs * STEPS) as u64 };
    let schedule = Schedule { rate: RATE, warmup: STEPS as u64, shape };
    Options { epochs, schedule, method: Method::new(Adam::new(0.0)), ..Options::default() }
}

/// Trains a model; it is watched by so many scenes.
pub fn fit(
    model: &mut Captioner,
    config: &Config,
    options: &Options,
    watched: usize,
) -> Result<History> {
    train(&FreshScenes::new(config, STEPS, BATCH, watched), model, options)
}
