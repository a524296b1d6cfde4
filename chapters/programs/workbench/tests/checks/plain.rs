//! A task that is no more than its batches and its loss; examples count alike.

use shared::{Module, Rng, Tape, Var};
use workbench::training::{Prepared, Task, Value, cut, json};

pub struct Plain<M> {
    pub batches: Vec<Vec<usize>>,
    pub loss: for<'t> fn(&M, &'t Tape, &[usize]) -> Var<'t>,
}

impl<M: Module + Sync> Task for Plain<M> {
    type Model = M;
    type Shard = Vec<usize>;

    fn describe(&self) -> Value {
        json!(null)
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        self.batches.clone()
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.len())
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, examples: &Vec<usize>) -> Var<'t> {
        (self.loss)(model, tape, examples)
    }
}
