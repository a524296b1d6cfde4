//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::hard::small;
use crate::runs::{End, Run, ends_the_same};
use captioning::program::{FreshScenes, options};
use captioning::{Captioner, Config};
use shared::rng;

/// Two epochs of three steps with hard attention: every step draws scenes and places.
fn run(run: &Run) -> End {
    let config = Config { even: 0.1, ..small() };
    let mut model = Captioner::new(&config, &mut rng(0));
    run.train(FreshScenes::new(&config, 3, 6, 4), &mut model, options(2))
}

#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same(
        "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same",
        &[1, 4],
        run,
    );
}
