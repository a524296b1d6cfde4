//! A training that waits to be killed, for the tests of several chapters.

use shared::{Float, Rng, Tape, Var};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use workbench::training::{Evaluation, Prepared, Schedule, Task, Value};

/// A task; before batch `stuck` of this process it waits to be killed.
pub struct Stuck<T> {
    task: T,
    batches: AtomicUsize,
    stuck: usize,
}

const STUCK: &str = "waits to be killed";

impl<T> Stuck<T> {
    pub fn new(task: T, stuck: usize) -> Stuck<T> {
        Stuck { task, batches: AtomicUsize::new(0), stuck }
    }
}

impl<T: Task> Task for Stuck<T> {
    type Model = T::Model;
    type Shard = T::Shard;

    fn describe(&self) -> Value {
        self.task.describe()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        self.task.batches(rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<T::Shard> {
        if self.batches.fetch_add(1, Ordering::SeqCst) == self.stuck {
            println!("\n{STUCK}");
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        self.task.prepare(examples, shards, rng)
    }

    fn begin_step(&self, before: u64, shards: &mut [T::Shard]) {
        self.task.begin_step(before, shards);
    }

    fn rate(&self, schedule: &Schedule, step: u64) -> Float {
        self.task.rate(schedule, step)
    }

    fn loss<'t>(&self, model: &T::Model, tape: &'t Tape, shard: &T::Shard) -> Var<'t> {
        self.task.loss(model, tape, shard)
    }

    fn evaluate(&self, model: &T::Model, epoch: usize) -> Option<Evaluation> {
        self.task.evaluate(model, epoch)
    }
}

/// Starts the ignored test `test` of this program again and again, each time to be killed before another
/// of its batches; its checkpoint is in `folder`.
pub fn kill(test: &str, folder: &Path, before: &[usize], more: &[(&str, &OsStr)]) {
    for stuck in before {
        let stuck = OsString::from(stuck.to_string());
        let own = [("FOLDER", folder.as_os_str()), ("STUCK", &stuck)];
        tests::kill_when(STUCK, test, &[&own, more].concat());
        assert!(folder.join("checkpoint.json").exists());
    }
}

/// In the test that is started so: before which batch it is killed, and where its checkpoint is.
pub fn from_environment() -> (usize, PathBuf) {
    let variable =
        |name: &str| std::env::var_os(name).expect("set by the test that kills this one");
    let stuck = variable("STUCK").into_string().expect("a number");
    (stuck.parse().expect("a number"), variable("FOLDER").into())
}
