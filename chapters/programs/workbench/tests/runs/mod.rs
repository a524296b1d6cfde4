//! A training that is killed and goes on, and one on several threads, for the tests of several chapters.

use rayon::ThreadPoolBuilder;
use shared::{Float, Module, Rng, Tape, Var};
use std::env::{current_exe, var, var_os};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use workbench::training::{Epoch, Evaluation, Options, Prepared, Schedule, Task, Value, train};

const STUCK: &str = "waits to be killed";

/// A task; before batch `stuck` of this process it waits to be killed.
struct Stuck<T> {
    task: T,
    batches: AtomicUsize,
    stuck: usize,
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
            std::thread::sleep(Duration::from_secs(60));
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

/// How a training runs: as a whole, or with its state kept after every step, and gone on from.
pub struct Run {
    stuck: usize,
    folder: Option<PathBuf>,
}

/// The bits of all parameters, by name.
pub type Bits = Vec<(String, Vec<u32>)>;

/// How a training ended.
pub type End = (Bits, Vec<Epoch>);

impl Run {
    pub const WHOLE: Run = Run { stuck: usize::MAX, folder: None };

    pub fn train<T: Task>(&self, task: T, model: &mut T::Model, options: Options) -> End {
        let options = Options {
            checkpoint: self.folder.clone(),
            checkpoint_steps: Some(1),
            resume: self.folder.is_some(),
            ..options
        };
        let task = Stuck { task, batches: AtomicUsize::new(0), stuck: self.stuck };
        let history = train(&task, model, &options).unwrap();
        (bits(model), history.epochs)
    }
}

pub fn bits(model: &mut impl Module) -> Bits {
    let mut bits = Vec::new();
    model.for_each_parameter(|name, param| {
        bits.push((name.to_owned(), param.value().iter().map(|x| x.to_bits()).collect()));
    });
    bits
}

/// Trained on one thread, on three or on eight, or killed before each of these of its batches and gone on with: a
/// training ends the same. `test` is the one that calls this. It is started once more for every kill, and then only
/// trains.
pub fn ends_the_same(test: &str, before: &[usize], run: impl Fn(&Run) -> End + Sync) -> End {
    if let Some(folder) = var_os("KILLED_IN") {
        let stuck = var("KILLED_BEFORE").unwrap().parse().unwrap();
        return run(&Run { stuck, folder: Some(folder.into()) });
    }
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&Run::WHOLE))
    };
    let folder = tempfile::tempdir().unwrap();
    before.iter().for_each(|stuck| kill(test, folder.path(), *stuck));
    let resumed = run(&Run { folder: Some(folder.path().into()), ..Run::WHOLE });
    let one = on(1);
    for (what, end) in [("three threads", on(3)), ("eight threads", on(8)), ("killed", resumed)] {
        assert_eq!(end.1, one.1, "{test}, {what}");
        assert!(end.0 == one.0, "{test}, {what}: the parameters differ");
    }
    one
}

/// Starts a test of this program, and kills it (SIGKILL) before batch `stuck`.
fn kill(test: &str, folder: &Path, stuck: usize) {
    let mut child = Command::new(current_exe().unwrap())
        .args(["--exact", "--nocapture", test])
        .env("KILLED_IN", folder)
        .env("KILLED_BEFORE", stuck.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let said = lines.map_while(Result::ok).any(|line| line == STUCK);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said, "{test} was over before it said {STUCK:?}");
    assert!(folder.join("checkpoint.json").exists());
}
