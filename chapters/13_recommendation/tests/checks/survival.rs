//! A training that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, ends_the_same};
use crate::support::recipe;
use recommendation::program::{Choice, Data, Parts, Recipe, RecommendationTask};
use recommendation::world::Sizes;

/// Two epochs with drawn negatives.
fn run(run: &Run) -> End {
    let data = Data::shop(&Sizes { customers: 6, least: 20, most: 30 }, 0);
    let parts = Parts::last_out(&data);
    let recipe = Recipe { batch: 16, ..recipe(Choice::Din) };
    let mut model = recipe.model(data.items.len(), 3, 0).unwrap();
    let task = RecommendationTask::new(&recipe, &data, &parts, true);
    run.train(task, &mut model, recipe.options(0))
}

#[test]
fn a_training_that_is_killed_and_one_on_other_threads_end_the_same() {
    ends_the_same(
        "survival::a_training_that_is_killed_and_one_on_other_threads_end_the_same",
        &[1, 2],
        run,
    );
}
