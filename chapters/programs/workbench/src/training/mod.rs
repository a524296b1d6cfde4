//! One training loop for all chapters: shards of a batch on parallel threads, clipping, a schedule,
//! evaluation, progress, checkpoints.
//!
//! What is trained is a [`Task`]; how, is in [`Options`]; [`train`] does it.
//!
//! All randomness of a step follows from the run's seed and the step's place, so a run that begins
//! again in the middle draws what it would have drawn.

mod allreduce;
mod average;
mod checkpoint;
mod display;
mod drill;
mod history;
mod interrupt;
#[cfg(feature = "mpi")]
pub mod mpi;
mod options;
mod peers;
mod resume;
mod room;
mod schedule;
mod task;
mod trainer;

pub use checkpoint::difference;
pub use checkpoint::find_checkpoint;
pub(crate) use checkpoint::occupied;
pub use drill::Drill;
pub use history::{Epoch, Evaluation, History, Timing};
pub use interrupt::Watch;
pub use schedule::{Schedule, Shape};
pub use serde_json::{Value, json};

pub use options::{Method, Options};
pub use peers::Peers;
pub use task::{Prepared, Task, cut, shuffled_batches};

use crate::error::Result;
use std::sync::Arc;
use trainer::Trainer;

/// Runs a training in all processes that `mpirun` has started; without the feature `mpi`, in this one alone. It is
/// handed the others, if there are any.
///
/// # Errors
/// Those of `run`, in any of them.
pub fn in_all_processes(run: impl FnOnce(Option<Arc<dyn Peers>>) -> Result<()>) -> Result<()> {
    #[cfg(feature = "mpi")]
    {
        let ranks = mpi::Ranks::join()?;
        let peers = (ranks.count() > 1).then(|| ranks.clone() as Arc<dyn Peers>);
        ranks.leave(run(peers))
    }
    #[cfg(not(feature = "mpi"))]
    run(None)
}

/// Trains the model, and reports how it went. Where somebody watches (`options.progress`), it is asked first whether
/// there is memory enough: a small part of a step is measured.
///
/// # Errors
/// When there is not memory enough, when a loss or a gradient is not finite (the parameters then are those before that step), when
/// a checkpoint cannot be written, read or does not fit, and when Ctrl-C was pressed
/// ([`Error::Interrupted`](crate::error::Error::Interrupted)).
///
/// # Panics
/// When the options have no shard or no group, the shards do not divide into groups and processes with
/// a power of two of them each, the task has an epoch without batches, or a mean of no epoch is asked
/// for.
pub fn train<T: Task>(task: &T, model: &mut T::Model, options: &Options) -> Result<History> {
    options.check();
    if options.progress {
        room::must_have_room(task, model, options)?;
    }
    Trainer::begin(task, model, options)?.run()
}
