//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, ends_the_same};
use memory_networks::program::{Example, Lexicon, StoryTask, generated, known, options};
use memory_networks::world::Task;
use memory_networks::{MemoryNetwork, Sizes};
use shared::rng;
use std::marker::PhantomData;
use workbench::training::{Options, json};

fn data() -> (Lexicon, Vec<Example>) {
    let stories = generated(Task::TwoFacts, 96, 0, 0);
    let lexicon = Lexicon::of(&stories);
    let examples = known(&lexicon, &stories, 16);
    (lexicon, examples)
}

/// Three epochs of three steps in three shards, four of them linear.
fn run(run: &Run) -> End {
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
    let options = Options { shards: 3, ..options(0.01, 3, examples.len()) };
    run.train(task, &mut network, options)
}

/// Killed within the linear start, and after it.
#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same(
        "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same",
        &[2, 4],
        run,
    );
}
