//! Whether there is memory enough for a training: measured on a small part of one step.

use super::options::Options;
use super::task::Task;
use crate::error::Result;
use crate::memory::{growth, must_fit};
use shared::{Float, Module, Tape, rng};

/// A shard is cut into so many pieces, of which one is measured.
const PIECES: usize = 8;
/// The batches of an epoch among which the largest is measured.
const BATCHES: usize = 256;

/// Refuses a training that would take more memory than there is: what one piece of a step was measured to hold, as
/// often as pieces are held at once; and of every trained parameter its gradients and two moments.
pub(super) fn must_have_room<T: Task>(
    task: &T,
    model: &mut T::Model,
    options: &Options,
) -> Result<()> {
    let rng = &mut rng(options.seed);
    let batches = task.batches(rng);
    let some = batches.iter().step_by(batches.len().div_ceil(BATCHES).max(1));
    let prepared = some.map(|batch| task.prepare(batch, PIECES * options.shards, rng));
    let Some(mut largest) = prepared.max_by_key(|batch| batch.tokens) else { return Ok(()) };
    let held = (largest.shards.len() * options.shards_a_group()).div_ceil(options.shards);
    largest.shards.truncate(1);
    task.begin_step(0, &mut largest.shards);
    let grown = growth(|| {
        let tape = Tape::training(rng.clone());
        largest.shards.iter().for_each(|piece| _ = task.loss(model, &tape, piece));
    });
    let mut trained = 0;
    model.for_each_parameter(|_, param| {
        trained += if param.is_frozen() { 0 } else { param.value().len() };
    });
    let copies = options.gradients_at_once() + 2 + options.average.unwrap_or(0);
    let parameters = (trained * copies * size_of::<Float>()) as u64;
    grown.map_or(Ok(()), |grown| {
        must_fit("training this model", Some(grown * held as u64 + parameters))
    })
}
