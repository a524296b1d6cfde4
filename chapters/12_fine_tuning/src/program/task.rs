//! Fine-tuning as a task for the course's training loop.

use super::judge::loss_and_accuracy;
use super::reader::ReadExamples;
use crate::{Classifier, Questions};
use shared::{Float, Rng, Tape, Var};
use workbench::training::{Evaluation, Prepared, Task, Value, cut, shuffled_batches};

pub struct TuningTask<'a> {
    training: &'a [Questions],
    validation: Option<&'a ReadExamples>,
    batch: usize,
    description: Value,
}

impl<'a> TuningTask<'a> {
    /// Batches of so many sequences; `description` names data and model.
    pub fn new(
        training: &'a [Questions],
        validation: Option<&'a ReadExamples>,
        batch: usize,
        description: Value,
    ) -> TuningTask<'a> {
        TuningTask { training, validation, batch, description }
    }

    pub fn steps(&self, epochs: usize) -> u64 {
        (epochs * self.training.len().div_ceil(self.batch)) as u64
    }
}

impl Task for TuningTask<'_> {
    type Model = Classifier;
    type Shard = Questions;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.training.len(), self.batch, rng)
    }

    /// Every shard gets long and short sequences; the loss is divided by the questions of the whole
    /// batch, so that a word among few counts as much as one among many.
    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Questions> {
        let mut order = examples.to_vec();
        order.sort_by_key(|i| std::cmp::Reverse(self.training[*i].tokens.len()));
        let shard =
            |own: &Vec<usize>| Questions::side_by_side(own.iter().map(|i| &self.training[*i]));
        let shards: Vec<Questions> = cut(&order, shards).iter().map(shard).collect();
        let tokens = shards.iter().map(|shard| shard.tokens.len()).sum();
        let asked = shards.iter().map(|shard| shard.asked.len()).sum::<usize>();
        Prepared { shards, tokens, divisor: asked as Float }
    }

    fn loss<'t>(&self, model: &Classifier, tape: &'t Tape, shard: &Questions) -> Var<'t> {
        model.loss(tape, shard)
    }

    fn evaluate(&self, model: &Classifier, _epoch: usize) -> Option<Evaluation> {
        let read = self.validation?;
        let (loss, accuracy) = loss_and_accuracy(model, read);
        Some(Evaluation::new(loss).with("right %", 100.0 * accuracy))
    }
}
