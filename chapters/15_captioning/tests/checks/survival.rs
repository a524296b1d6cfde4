//! A training that is killed goes on to the same bits, on any number of threads.

use crate::stuck::{self, Stuck};
use captioning::experiment::{FreshScenes, options};
use captioning::{Attention, Captioner, Config};
use rayon::ThreadPoolBuilder;
use shared::{Module, rng};
use std::path::Path;
use workbench::training::{Options, train};
use worlds::scenes::WORDS;

/// Two epochs of three steps with hard attention: every step draws scenes and places.
fn run(stuck: usize, checkpoint: Option<&Path>) -> Vec<u32> {
    let small = Config {
        channels: [3, 4, 5],
        embedding: 4,
        hidden: 6,
        score: 4,
        ..Config::new(WORDS.len() + 3)
    };
    let config = Config { attention: Attention::Hard, even: 0.1, ..small };
    let mut model = Captioner::new(&config, &mut rng(0));
    let options = Options {
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..options(2)
    };
    train(&Stuck::new(FreshScenes::new(&config, 3, 6, 4), stuck), &mut model, &options).unwrap();
    let mut bits = Vec::new();
    model.for_each_parameter(|_, param| bits.extend(param.value().iter().map(|x| x.to_bits())));
    bits
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let (stuck, folder) = stuck::from_environment();
    run(stuck, Some(&folder));
}

#[test]
fn a_killed_training_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    stuck::kill("survival::trains_until_it_is_killed", folder.path(), &[1, 4], &[]);
    assert!(run(usize::MAX, Some(folder.path())) == run(usize::MAX, None), "the parameters differ");
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let with = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(usize::MAX, None))
    };
    assert!(with(1) == with(3), "the parameters differ");
}
