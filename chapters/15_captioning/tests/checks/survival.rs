//! A training that is killed goes on to the same bits, on any number of threads.

use crate::hard::small;
use crate::runs::{End, Run, goes_on};
use captioning::experiment::{FreshScenes, options};
use captioning::{Captioner, Config};
use rayon::ThreadPoolBuilder;
use shared::rng;

/// Two epochs of three steps with hard attention: every step draws scenes and places.
fn run(run: &Run) -> End {
    let config = Config { even: 0.1, ..small() };
    let mut model = Captioner::new(&config, &mut rng(0));
    run.train(FreshScenes::new(&config, 3, 6, 4), &mut model, options(2))
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    run(&Run::killed());
}

#[test]
fn a_killed_training_goes_on_to_the_same_bits() {
    goes_on("survival::trains_until_it_is_killed", &[1, 4], run);
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let with = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&Run::WHOLE))
    };
    assert!(with(1) == with(3), "the parameters differ");
}
