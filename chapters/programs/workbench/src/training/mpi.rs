//! Training in several processes that MPI has started: `mpirun -n 4 PROGRAM …`.
//!
//! One thread of each process talks to MPI, from initialising to finalising, and does what the others
//! give it to do: so the library need support no more than one thread (`MPI_THREAD_FUNNELED`), which
//! all do, and a sum is under way while the others compute. Sums are those of [`allreduce`], which
//! have the same bits on any number of processes; MPI's own all-reduce, which has not, is not used.
//!
//! A process that waits asks again and again, and sleeps in between. MPI's blocking calls would keep a
//! processor busy, which the computing threads need.
//!
//! [`allreduce`]: super::allreduce

use super::allreduce::{self, Link};
use super::interrupt;
use super::peers::{Peers, Pending};
use crate::error::{Error, Result};
use ::mpi::collective::CommunicatorCollectives;
use ::mpi::environment::Universe;
use ::mpi::request::{Request, Scope, scope};
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{Communicator, Destination, Root, Source};
use ::mpi::{Tag, Threading, initialize_with_threading};
use shared::Float;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

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
/// A process that ends without [`Ranks::leave`] (killed, with an error, in a panic) takes the whole
/// job with it: `mpirun` kills the others and names the rank.
///
/// Ctrl-C at `mpirun` reaches all as SIGTERM: they save and stop after the same step. Open MPI 4 sends
/// it a second after Ctrl-C, and a second later kills whoever is left. `--mca
/// odls_base_sigkill_timeout 5` makes that five seconds each, which should be more than a step and a
/// checkpoint take; after a failure it waits as long.
pub struct Ranks {
    rank: usize,
    count: usize,
    bucket: Option<usize>,
    sent: Arc<AtomicU64>,
    work: Sender<Work>,
}

/// What the thread is asked to do.
enum Work {
    Do(Box<dyn FnOnce(&mut World) + Send>),
    /// The last: says when all have come so far.
    Finalize(Sender<()>),
}

/// Numbers in a bucket: 1 MiB in single precision.
const BUCKET: usize = 1 << 18;

impl Ranks {
    /// Joins the other processes of this job; without `mpirun`, there is this one alone.
    ///
    /// # Errors
    /// When MPI was begun before, or takes no calls from a thread.
    pub fn join() -> Result<Arc<Ranks>> {
        Ranks::with_bucket(Some(BUCKET))
    }

    /// The same with so many numbers in a bucket of gradients; `None` sends all when backward is over.
    pub fn with_bucket(bucket: Option<usize>) -> Result<Arc<Ranks>> {
        let sent = Arc::new(AtomicU64::new(0));
        let (work, jobs) = channel();
        let (tell, told) = channel();
        let count_sent = sent.clone();
        let talk = move || match World::begin(count_sent) {
            Ok((world, universe)) => {
                let _ = tell.send(Ok((world.rank(), world.count())));
                world.talk(universe, &jobs);
            }
            Err(reason) => {
                let _ = tell.send(Err(reason));
            }
        };
        let begun = std::thread::Builder::new().name("mpi".to_owned()).spawn(talk);
        begun.map_err(|error| Error::argument(format!("no thread for MPI: {error}")))?;
        let (rank, count) =
            told.recv().unwrap_or(Err("MPI could not be begun")).map_err(Error::argument)?;
        if rank > 0 {
            interrupt::silence(); // what all receive, one confirms
        }
        Ok(Arc::new(Ranks { rank, count, bucket, sent, work }))
    }

    /// Whether a batch in so many shards can be shared by these processes: each has as many, and a
    /// power of two.
    ///
    /// # Errors
    /// When not: how many processes there are, the person who started them decided.
    pub fn can_share(&self, shards: usize) -> Result<()> {
        let (count, share) = (self.count, shards / self.count);
        if count == 1 || (share.is_power_of_two() && share * count == shards) {
            Ok(())
        } else {
            Err(Error::argument(format!(
                "{shards} shards of a batch for {count} processes: each needs a power of two"
            )))
        }
    }

    /// Leaves the others: with success when all have come so far. An error ends the whole job, said as
    /// this rank's; the program should end with it. Where rank 0 has one, too, it alone says it: the
    /// others wait for it a second, and then for their end.
    ///
    /// # Errors
    /// The error that the result is.
    pub fn leave<T>(&self, result: Result<T>) -> Result<T> {
        match result {
            Ok(value) => {
                let (done, told) = channel();
                if self.work.send(Work::Finalize(done)).is_ok() {
                    let _ = told.recv();
                }
                Ok(value)
            }
            Err(error) if self.rank == 0 => {
                let told = self.ask(World::report_failure);
                let _ = told.recv_timeout(PATIENCE);
                Err(error)
            }
            Err(error) => {
                let told = self.ask(World::is_told_of_failure);
                if told.recv_timeout(2 * PATIENCE) == Ok(true) {
                    sleep(60 * PATIENCE); // the job ends before
                }
                Err(self.named(error))
            }
        }
    }

    fn named(&self, error: Error) -> Error {
        let what = format!("rank {} of {}: {error}", self.rank, self.count);
        match error {
            Error::Interrupted(_) => Error::Interrupted(what),
            Error::Diverged(_) => Error::Diverged(what),
            _ => Error::Argument(what),
        }
    }

    /// Lets the thread that talks to MPI do something, after what it was given before.
    fn ask<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut World) -> R + Send + 'static,
    ) -> Receiver<R> {
        let (answer, answered) = channel();
        let _ = self.work.send(Work::Do(Box::new(move |world| {
            let _ = answer.send(work(world));
        })));
        answered
    }

    /// Does something with messages between two processes: for measurements.
    pub fn with_link<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Link) -> R + Send + 'static,
    ) -> Result<R> {
        self.ask(|world| work(world)).recv().map_err(gone)
    }
}

impl Peers for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn sum(&self, numbers: &mut [Float]) -> Result<()> {
        numbers.copy_from_slice(&self.begin_sum(numbers.to_vec()).wait()?);
        Ok(())
    }

    fn begin_sum(&self, mut numbers: Vec<Float>) -> Pending {
        let (promise, pending) = Pending::new();
        let _ = self.work.send(Work::Do(Box::new(move |world| {
            for part in numbers.chunks_mut(LONGEST) {
                allreduce::all_reduce(world, part);
            }
            promise.keep(Ok(numbers));
        })));
        pending
    }

    fn bucket(&self) -> Option<usize> {
        self.bucket
    }

    fn share(&self, bytes: &mut Vec<u8>) -> Result<()> {
        let mut sent = std::mem::take(bytes);
        let answer = self.ask(move |world| {
            world.broadcast(&mut sent);
            sent
        });
        *bytes = answer.recv().map_err(gone)?;
        Ok(())
    }

    fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
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
    }
}

fn gone(_: RecvError) -> Error {
    Error::argument("the thread that talks to MPI is gone")
}

/// All processes of the job, in the hands of the thread that talks to MPI.
struct World {
    world: SimpleCommunicator,
    sent: Arc<AtomicU64>,
}

/// How long a rank with an error waits for that of rank 0.
const PATIENCE: Duration = Duration::from_secs(1);

/// Of the message that rank 0 has failed.
const FAILURE: Tag = 1;

/// The most numbers or bytes in a message: MPI counts with 32 bits.
const LONGEST: usize = 1 << 28;

impl World {
    fn begin(sent: Arc<AtomicU64>) -> Result<(World, Universe), &'static str> {
        match initialize_with_threading(Threading::Funneled) {
            None => Err("MPI was begun before"),
            Some((_, Threading::Single)) => Err("this MPI takes no calls from a thread"),
            Some((universe, _)) => {
                let world = universe.world();
                Ok((World { world, sent }, universe))
            }
        }
    }

    /// Waits for a message: at first as fast as can be, then without taking a processor from those
    /// who compute.
    fn wait<'a, D: ?Sized, S: Scope<'a>>(mut request: Request<'a, D, S>) {
        const EAGER: u32 = 100;
        for tries in 0_u32.. {
            request = match request.test() {
                Ok(_) => return,
                Err(request) => request,
            };
            match tries {
                ..EAGER => yield_now(),
                _ => sleep(Duration::from_micros((10 * u64::from(tries - EAGER)).min(500))),
            }
        }
    }

    /// Does what comes, until the end. Only a job that all have finished is finalised: where one has
    /// failed, finalising would wait for it for ever.
    fn talk(mut self, universe: Universe, jobs: &Receiver<Work>) {
        for work in jobs {
            match work {
                Work::Do(work) => work(&mut self),
                Work::Finalize(done) => {
                    World::wait(self.world.immediate_barrier()); // asleep, unlike finalising
                    drop(universe);
                    let _ = done.send(());
                    return;
                }
            }
        }
        std::mem::forget(universe);
    }

    /// Rank 0 informs the others that it has failed and will say why.
    fn report_failure(&mut self) {
        for rank in 1..self.world.size() {
            let other = self.world.process_at_rank(rank);
            scope(|scope| World::wait(other.immediate_send_with_tag(scope, &[0_u8; 0], FAILURE)));
        }
    }

    /// Whether rank 0 does, in time.
    fn is_told_of_failure(&mut self) -> bool {
        let (begin, first) = (Instant::now(), self.world.process_at_rank(0));
        while begin.elapsed() < PATIENCE {
            if first.immediate_probe_with_tag(FAILURE).is_some() {
                return true;
            }
            sleep(Duration::from_millis(1));
        }
        false
    }

    /// Replaces the bytes by those of rank 0.
    fn broadcast(&mut self, bytes: &mut Vec<u8>) {
        let root = self.world.process_at_rank(0);
        let mut length = bytes.len() as u64;
        scope(|scope| World::wait(root.immediate_broadcast_into(scope, &mut length)));
        bytes.resize(length as usize, 0);
        for part in bytes.chunks_mut(LONGEST) {
            scope(|scope| World::wait(root.immediate_broadcast_into(scope, part)));
        }
    }
}

impl Link for World {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn count(&self) -> usize {
        self.world.size() as usize
    }

    fn exchange(&mut self, with: usize, send: &[Float], receive: &mut [Float]) {
        let other = self.world.process_at_rank(with as i32);
        self.sent.fetch_add(size_of_val(send) as u64, Ordering::Relaxed);
        scope(|scope| {
            let receiving = other.immediate_receive_into(scope, receive);
            let sending = other.immediate_send(scope, send);
            World::wait(receiving);
            World::wait(sending);
        });
    }
}
