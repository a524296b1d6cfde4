//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, ends_the_same};
use crate::support::recipe;
use recommendation::program::{Choice, Data, Parts, RecommendationTask};
use recommendation::world::Sizes;

/// Two epochs with dropout and drawn negatives.
fn run(choice: Choice, run: &Run) -> End {
    let data = Data::shop(&Sizes { customers: 6, least: 20, most: 30 }, 0);
    let parts = Parts::last_out(&data);
    let mut recipe = recipe(choice);
    recipe.batch = if choice == Choice::Din { 16 } else { 4 };
    let mut model = recipe.model(data.items.len(), 3, 0).unwrap();
    let task = RecommendationTask::new(&recipe, &data, &parts, true);
    run.train(task, &mut model, recipe.options(0))
}

#[test]
#[ignore = "is started, and killed, by the last test"]
fn din_trains_until_it_is_killed() {
    run(Choice::Din, &Run::killed());
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn sasrec_trains_until_it_is_killed() {
    run(Choice::Sasrec, &Run::killed());
}

#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same("survival::din_trains_until_it_is_killed", &[1, 2], |how| run(Choice::Din, how));
    ends_the_same("survival::sasrec_trains_until_it_is_killed", &[1, 2], |how| {
        run(Choice::Sasrec, how)
    });
}
