//! A run that is killed, twice, and a run on many threads: both end as if nothing had happened.

use crate::runs::{End, Run, ends_the_same};
use seq2seq::translating::TranslationTask;
use seq2seq::translating::corpus::Corpus;
use shared::rng;
use transformer::program::{CHAPTER, Sizes};
use workbench::training::{Options, Schedule, Shape, json};

/// Six epochs of three steps; the learning rate rises for 7 of these 18, then falls.
fn run(run: &Run) -> End {
    let corpus = Corpus::generated(48, 1, 0);
    let sizes = Sizes { dropout: 0.2, ..Sizes::QUICK };
    let mut model = (CHAPTER.build)(&sizes, corpus.words(), &mut rng(0));
    let mut task = TranslationTask::new(&corpus, 16, json!({}));
    task.translated = 4;
    let schedule = Schedule { rate: 1e-2, warmup: 7, shape: Shape::InverseSquareRoot };
    let options = Options { epochs: 6, schedule, shards: 4, ..Options::default() };
    run.train(task, &mut model, options)
}

/// Killed in the middle of the warm-up, and again after it, each time in the middle of an epoch.
#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    let test = "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same";
    let (_, epochs) = ends_the_same(test, &[4, 6], run);
    assert!(epochs[5].loss < 0.9 * epochs[0].loss, "it does not learn");
    let rates = epochs.iter().map(|epoch| epoch.learning_rate);
    assert!(Vec::from_iter(rates).windows(2).any(|rates| rates[1] < rates[0])); // past the warm-up
}
