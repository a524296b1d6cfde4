//! A training that is killed, twice, ends as if nothing had happened.

use crate::stuck::{self, Stuck};
use crate::support::{bits, recipe};
use recommendation::experiment::{Choice, Data, RecommendationTask, Split};
use std::ffi::OsString;
use std::path::Path;
use workbench::training::{Options, json, train};
use worlds::shop::Sizes;

const RUNS: [Choice; 2] = [Choice::Din, Choice::Sasrec];

/// Two epochs with dropout and drawn negatives: the bits of all parameters.
fn run(choice: Choice, stuck: usize, checkpoint: Option<&Path>) -> Vec<Vec<u32>> {
    let data = Data::shop(&Sizes { customers: 6, least: 20, most: 30 }, 0);
    let parts = Split::LeaveLastOut.of(&data);
    let mut recipe = recipe(choice);
    recipe.batch = if choice == Choice::Din { 16 } else { 4 };
    let mut model = recipe.model(data.items.len(), 3, 0).unwrap();
    let sizes = [recipe.longest, recipe.longest, recipe.batch];
    let task =
        RecommendationTask::new(&data, &parts, choice.is_sequential(), sizes, true, json!({}));
    let options = Options {
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..recipe.options(0)
    };
    let history = train(&Stuck::new(task, stuck), &mut model, &options).unwrap();
    assert_eq!(history.epochs.len(), 2);
    bits(&mut model)
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let (stuck, folder) = stuck::from_environment();
    let number: usize = std::env::var("RUN").expect("a run").parse().unwrap();
    run(RUNS[number], stuck, Some(&folder));
}

#[test]
fn a_killed_training_goes_on_to_the_same_bits() {
    for (number, choice) in RUNS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let number = OsString::from(number.to_string());
        let test = "survival::trains_until_it_is_killed";
        stuck::kill(test, folder.path(), &[1, 2], &[("RUN", &number)]);
        let resumed = run(choice, usize::MAX, Some(folder.path()));
        assert!(resumed == run(choice, usize::MAX, None), "{choice:?}: the parameters differ");
    }
}
