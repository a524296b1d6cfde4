//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, ends_the_same};
use language_model::program::{Source, options, windows};
use language_model::{Config, Gpt};
use shared::rng;

/// Two epochs of three steps; every step draws its texts.
fn run(run: &Run) -> End {
    let config =
        Config { width: 8, feed_forward: 9, longest: 12, dropout: 0.1, ..Config::today(26) };
    let mut model = Gpt::new(&config, &mut rng(0));
    run.train(windows(&Source::World, 12, 3, &config), &mut model, options(2))
}

#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same(
        "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same",
        &[1, 4],
        run,
    );
}
