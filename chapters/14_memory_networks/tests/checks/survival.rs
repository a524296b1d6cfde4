//! A training that is killed, twice, ends as if nothing had happened; and the number of threads changes nothing.

use crate::stuck::{self, Stuck};
use memory_networks::experiment::{Example, Lexicon, StoryTask, generated, known, options};
use memory_networks::{MemoryNetwork, Sizes};
use shared::{Module, rng};
use std::marker::PhantomData;
use std::path::Path;
use workbench::training::{Options, json, train};
use worlds::rooms::Task;

fn data() -> (Lexicon, Vec<Example>) {
    let stories = generated(Task::TwoFacts, 96, 0, 0);
    let lexicon = Lexicon::of(&stories);
    let examples = known(&lexicon, &stories, 16);
    (lexicon, examples)
}

/// Three epochs of three steps in three shards, four of them linear: the bits of all parameters.
fn run(stuck: usize, checkpoint: Option<&Path>) -> Vec<u32> {
    let (lexicon, examples) = data();
    let sizes = Sizes { words: lexicon.len(), memory: 16, width: 8, hops: 2 };
    let mut network = MemoryNetwork::new(sizes, &mut rng(0));
    let task = StoryTask {
        training: &examples,
        watched: &examples[..8],
        linear: 4,
        description: json!({}),
        model: PhantomData::<fn(&MemoryNetwork)>,
    };
    let options = Options {
        shards: 3,
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..options(0.01, 3, examples.len())
    };
    train(&Stuck::new(task, stuck), &mut network, &options).unwrap();
    let mut bits = Vec::new();
    network.for_each_parameter(|_, param| bits.extend(param.value().iter().map(|x| x.to_bits())));
    bits
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let (stuck, folder) = stuck::from_environment();
    run(stuck, Some(&folder));
}

/// Killed within the linear start, and after it.
#[test]
fn a_killed_training_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    stuck::kill("survival::trains_until_it_is_killed", folder.path(), &[2, 4], &[]);
    assert!(run(usize::MAX, Some(folder.path())) == run(usize::MAX, None));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(usize::MAX, None))
    };
    assert!(on(1) == on(3));
}
