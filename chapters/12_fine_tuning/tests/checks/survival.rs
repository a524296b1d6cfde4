//! A fine-tuning that is killed goes on as if nothing had happened.

use crate::support::{bits, encoder, few};
use fine_tuning::experiment::{Form, Reader, Start, Task, TuningTask, begin, options};
use fine_tuning::{Classifier, Questions};
use shared::{Rng, Tape, Var};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tests::kill_when;
use workbench::training::{
    self, Evaluation, Options, Prepared, Schedule, Shape, Value, json, train,
};

/// The chapter's task; before batch `stuck` of this process it waits to be killed.
struct Stuck<'a> {
    task: TuningTask<'a>,
    batches: AtomicUsize,
    stuck: usize,
}

impl training::Task for Stuck<'_> {
    type Model = Classifier;
    type Shard = Questions;

    fn describe(&self) -> Value {
        self.task.describe()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        self.task.batches(rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Questions> {
        if self.batches.fetch_add(1, Ordering::SeqCst) == self.stuck {
            println!("\n{STUCK}");
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        self.task.prepare(examples, shards, rng)
    }

    fn loss<'t>(&self, model: &Classifier, tape: &'t Tape, shard: &Questions) -> Var<'t> {
        self.task.loss(model, tape, shard)
    }

    fn evaluate(&self, model: &Classifier, epoch: usize) -> Option<Evaluation> {
        self.task.evaluate(model, epoch)
    }
}

const STUCK: &str = "waits to be killed";

/// Three epochs of three steps, with dropout, on sentences or on words: the bits of all parameters.
fn run(
    task: Task,
    frozen: bool,
    stuck: usize,
    checkpoint: Option<&Path>,
) -> Vec<(String, Vec<u32>)> {
    let data = few(task, 12);
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.2;
    let mut model = begin(&encoder, &data, Start { from_scratch: false, frozen }, 0);
    let reader = Reader::new(encoder.pieces, &encoder.config, data.form);
    let (read, watched) = (reader.read(&data.training), reader.read(&data.validation));
    let task = TuningTask::new(&read.sequences, Some(&watched), 4, json!({}), &|| ());
    let options = Options {
        epochs: 3,
        schedule: Schedule { rate: 1e-2, warmup: 2, shape: Shape::Linear { total: 9 } },
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..options(1e-2)
    };
    let task = Stuck { task, batches: 0.into(), stuck };
    let history = train(&task, &mut model, &options).unwrap();
    assert_eq!(history.epochs.len(), 3);
    bits(&mut model)
}

/// All of the encoder on sentences; the new layer alone on words.
const RUNS: [(Task, bool); 2] = [(Task::Sense, false), (Task::Tags, true)];

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let number = |name: &str| std::env::var(name).map(|number| number.parse::<usize>().unwrap());
    let (task, frozen) = RUNS[number("RUN").expect("a run")];
    let folder = std::env::var_os("FOLDER").map(PathBuf::from).expect("a folder");
    run(task, frozen, number("STUCK").expect("a batch to be killed before"), Some(&folder));
}

/// Killed in the first epoch, and again in the last one: order and dropout are drawn as if nothing had
/// happened, the rate goes on falling, and what is frozen stays.
#[test]
fn a_killed_fine_tuning_goes_on_to_the_same_bits() {
    for (number, (task, frozen)) in RUNS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        for stuck in [2, 5] {
            let [run, stuck] = [number, stuck].map(|n| OsString::from(n.to_string()));
            let environment: [(&str, &OsStr); 3] =
                [("FOLDER", folder.path().as_ref()), ("RUN", &run), ("STUCK", &stuck)];
            kill_when(STUCK, "survival::trains_until_it_is_killed", &environment);
            assert!(folder.path().join("checkpoint.json").exists());
        }
        let resumed = run(task, frozen, usize::MAX, Some(folder.path()));
        let expected = run(task, frozen, usize::MAX, None);
        assert!(resumed == expected, "{task:?}: the parameters differ");
        let start =
            begin(&encoder(Form::Pair), &few(task, 12), Start { from_scratch: false, frozen }, 0);
        let moved = bits(&mut { start }).iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert_eq!(moved == 2, frozen, "{task:?}: {moved} parameters moved");
    }
}
