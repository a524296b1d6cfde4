//! Training in several processes that MPI has started: `mpirun -n 4 PROGRAM …`.

use super::interrupt;
use super::peers::Peers;
use crate::error::{Error, Result};
use ::mpi::environment::Universe;
use ::mpi::point_to_point::send_receive_into;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{Communicator, CommunicatorCollectives};
use ::mpi::{Threading, initialize_with_threading};
use shared::Float;
use std::fmt::{Debug, Formatter};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The processes of a job, as one of them sees them.
///
/// ```no_run
/// use workbench::training::{Options, mpi::Ranks};
/// # use workbench::error::Result;
/// # fn train_and_write(options: &Options) -> Result<()> { Ok(()) }
/// fn main() -> std::process::ExitCode {
///     workbench::program::run(|| {
///         let ranks = Ranks::join()?;
///         let options = Options { peers: Some(ranks.clone()), ..Options::default() };
///         ranks.leave(train_and_write(&options)) // only rank 0 writes
///     })
/// }
/// ```
///
/// Sums have the same bits on any number of processes; MPI's own all-reduce, which promises no order,
/// is not used.
///
/// A process that ends without [`Ranks::leave`] (killed, with an error, in a panic) takes the whole
/// job with it: `mpirun` kills the others and names the rank.
///
/// Ctrl-C at `mpirun` reaches all as SIGTERM: they save and stop after the same step. Open MPI 4 sends
/// it a second after Ctrl-C, and a second later kills whoever is left. `--mca
/// odls_base_sigkill_timeout 5` makes that five seconds each, which should be more than a step and a
/// checkpoint take.
pub struct Ranks {
    rank: usize,
    count: usize,
    /// Dropping it finalises MPI.
    universe: Mutex<Option<Universe>>,
}

/// How long another rank with an error waits for that of rank 0, which ends the job.
const PATIENCE: Duration = Duration::from_secs(4);

impl Ranks {
    /// Joins the other processes of this job; without `mpirun`, there is this one alone.
    ///
    /// # Errors
    /// When MPI was begun before, or takes no calls from several threads, one at a time.
    pub fn join() -> Result<Arc<Ranks>> {
        let universe = match initialize_with_threading(Threading::Serialized) {
            None => return Err(Error::argument("MPI was begun before")),
            Some((universe, Threading::Serialized | Threading::Multiple)) => universe,
            Some((universe, _)) => {
                std::mem::forget(universe);
                return Err(Error::argument("this MPI takes calls from one thread only"));
            }
        };
        let world = universe.world();
        let (rank, count) = (world.rank() as usize, world.size() as usize);
        if rank > 0 {
            interrupt::silence(); // what all receive, one confirms
        }
        Ok(Arc::new(Ranks { rank, count, universe: Mutex::new(Some(universe)) }))
    }

    /// Leaves the others: with success when all have come so far. An error ends the whole job, said as
    /// this rank's. Where rank 0 has one, too, it alone says it: its end is that of the others, who
    /// wait for it before they say theirs.
    ///
    /// # Errors
    /// The error that the result is.
    pub fn leave<T>(&self, result: Result<T>) -> Result<T> {
        match result {
            Ok(value) => {
                let mut universe = self.universe.lock().unwrap_or_else(PoisonError::into_inner);
                SimpleCommunicator::world().barrier();
                *universe = None;
                Ok(value)
            }
            Err(error) if self.rank == 0 => Err(error),
            Err(error) => {
                std::thread::sleep(PATIENCE);
                let what = format!("rank {} of {}: {error}", self.rank, self.count);
                Err(match error {
                    Error::Interrupted(_) => Error::Interrupted(what),
                    Error::Diverged(_) => Error::Diverged(what),
                    _ => Error::Argument(what),
                })
            }
        }
    }
}

impl Peers for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&self, with: usize, send: &[Float], receive: &mut [Float]) -> Result<()> {
        let _one_at_a_time = self.universe.lock();
        let world = SimpleCommunicator::world();
        let other = world.process_at_rank(with as i32);
        send_receive_into(send, &other, receive, &other);
        Ok(())
    }
}

impl Debug for Ranks {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.count)
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("rank {} of {} panicked", self.rank, self.count);
        }
        // Of a job that has failed, finalising would wait for the others for ever.
        std::mem::forget(self.universe.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}
