//! A run that is killed, twice, and a run on many threads: both end as if nothing had happened.
//!
//! The program that is killed is this one, told to run one test, the training.

use crate::support::{WORDS, batch, config, pairs};
use rayon::ThreadPoolBuilder;
use seq2seq::{Batch, Translator};
use shared::{Module, Rng, Tape, Var, rng};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;
use tests::kill_when;
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};
use workbench::training::{
    Epoch, Options, Prepared, Schedule, Shape, Task, Value, cut, json, shuffled_batches, train,
};

/// Learning 24 pairs, in batches of 8. Before batch `stuck` of this process it waits to be killed.
struct Pairs {
    pairs: Vec<(Vec<usize>, Vec<usize>)>,
    batches: AtomicUsize,
    stuck: usize,
}

impl Pairs {
    fn new(stuck: usize) -> Pairs {
        let pairs = pairs(&Vec::from_iter((0..24).map(|i| (2 + i % 4, 1 + i % 5))));
        Pairs { pairs, batches: AtomicUsize::new(0), stuck }
    }
}

impl Task for Pairs {
    type Model = Transformer;
    type Shard = Batch;

    fn describe(&self) -> Value {
        json!({"pairs": self.pairs.len(), "words": WORDS})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.pairs.len(), 8, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Batch> {
        if self.batches.fetch_add(1, Ordering::SeqCst) == self.stuck {
            println!("\n{STUCK}");
            sleep(Duration::from_secs(60));
        }
        let own = |shard: Vec<usize>| {
            batch(&Vec::from_iter(shard.into_iter().map(|i| self.pairs[i].clone())))
        };
        let shards: Vec<Batch> = cut(examples, shards).into_iter().map(own).collect();
        let words = shards.iter().map(Batch::tokens).sum();
        Prepared::mean(shards, words)
    }

    fn loss<'t>(&self, model: &Transformer, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        model.training_loss(tape, batch)
    }
}

const STUCK: &str = "waits to be killed";

/// Six epochs of three steps; the learning rate rises for 7 of these 18, then falls. Every parameter's
/// bits afterwards, and what the epochs tell.
fn run(stuck: usize, checkpoint: Option<&Path>) -> (Vec<u32>, Vec<Epoch>) {
    let small = config(Norm::Post, Tied::Output);
    let block = BlockSizes { dropout: 0.2, ..small.block };
    let mut model = Transformer::new(&Config { block, ..small }, &mut rng(0));
    let options = Options {
        epochs: 6,
        schedule: Schedule { rate: 1e-2, warmup: 7, shape: Shape::InverseSquareRoot },
        shards: 4,
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..Options::default()
    };
    let history = train(&Pairs::new(stuck), &mut model, &options).unwrap();
    let mut bits = Vec::new();
    model.for_each_parameter(|_, param| bits.extend(param.value().iter().map(|x| x.to_bits())));
    (bits, history.epochs)
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let folder = std::env::var_os("FOLDER").map(PathBuf::from);
    let stuck = std::env::var("STUCK").map(|stuck| stuck.parse().unwrap());
    run(stuck.expect("a batch to be killed before"), Some(&folder.expect("a folder")));
}

/// Killed in the middle of the warm-up, and again after it, each time in the middle of an epoch.
#[test]
fn a_killed_run_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    for stuck in [4, 6] {
        let environment =
            [("FOLDER", folder.path().as_os_str()), ("STUCK", &OsString::from(stuck.to_string()))];
        kill_when(STUCK, "survival::trains_until_it_is_killed", &environment);
        assert!(folder.path().join("checkpoint.json").exists());
    }
    let (bits, epochs) = run(usize::MAX, Some(folder.path()));
    let (expected, told) = run(usize::MAX, None);
    assert_eq!(epochs, told);
    assert!(bits == expected, "the parameters differ");
    let rates = epochs.iter().map(|epoch| epoch.learning_rate);
    assert!(Vec::from_iter(rates).windows(2).any(|rates| rates[1] < rates[0])); // past the warm-up
}

/// To the last bit.
#[test]
fn the_number_of_threads_does_not_matter() {
    let on = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(usize::MAX, None))
    };
    let one = on(1);
    assert!(one.1[5].loss < 0.9 * one.1[0].loss, "it does not learn");
    for threads in [2, 8] {
        let many = on(threads);
        assert_eq!(one.1, many.1);
        assert!(one.0 == many.0, "{threads} threads, other parameters");
    }
}
