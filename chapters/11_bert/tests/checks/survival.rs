//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, bits, ends_the_same};
use crate::support::small;
use bert::program::{Beginning, Corpus, Held, NspFirst, PretrainingTask, options, pretrain_model};
use bert::{Config, Pretraining};
use shared::rng;
use workbench::stream;
use workbench::training::{Options, json};

/// Three epochs of the chapter's recipe on a hundred documents.
fn trained(run: &Run) -> End {
    let corpus = Corpus::generated(100, 300, 0).unwrap();
    let config = Config { vocabulary: corpus.pieces.len(), longest: 48, ..small() };
    let held = Held::new(&corpus, &corpus.validation, config.longest, 16, 0).unwrap();
    let task = PretrainingTask::new(&corpus, Some(&held), config.longest, 32, json!({}));
    let steps = (3 * task.pairs().div_ceil(32)) as u64;
    let first = NspFirst { steps: steps * 3 / 4 };
    assert!(first.steps > 6, "{steps} steps: or nobody is killed while pairs come first");
    let options = Options { epochs: 3, shards: 4, ..options(steps, 1e-3) };
    let mut model = Pretraining::new(&config, &mut rng(stream(0, 0)));
    run.train(task.with_nsp_first(first), &mut model, options)
}

/// `pretrain` makes of a share what the parts make of steps: how much hidden pieces count, and the rate.
#[test]
fn a_share_of_the_steps_reaches_the_task_and_the_rate() {
    let corpus = Corpus::generated(100, 300, 0).unwrap();
    let config = Config { vocabulary: corpus.pieces.len(), longest: 48, ..small() };
    let options = Options { epochs: 3, shards: 4, ..options(1, 1e-3) };
    let beginning = Beginning { keys_as_queries: 0.0, nsp_first: 0.75 };
    let mut trained_here = pretrain_model(&corpus, &config, 32, beginning, &options).unwrap();
    assert!(bits(&mut trained_here.model) == trained(&Run::WHOLE).0, "the parameters differ");
}

/// Killed in the first epoch and again in a later one: plans, hidden pieces and dropout are drawn as if
/// nothing had happened, and the averages of the optimiser go on.
#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same(
        "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same",
        &[2, 4],
        trained,
    );
}
