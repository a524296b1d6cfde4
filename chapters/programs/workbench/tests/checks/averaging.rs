//! The mean of the last epochs' ends: against runs that end there, and after interruptions.

use crate::toy::{Toy, Wave, options};
use shared::{Float, Module};
use std::path::Path;
use workbench::training::{Options, train};

const EPOCHS: usize = 5;

fn averaging(average: Option<usize>, epochs: usize) -> Options {
    Options { average, ..options(epochs) }
}

fn in_folder(folder: &Path, options: Options) -> Options {
    Options { checkpoint: Some(folder.to_owned()), checkpoint_steps: Some(1), ..options }
}

fn trained(wave: &Wave, options: &Options) -> Toy {
    let mut toy = Toy::new(1);
    train(wave, &mut toy, options).unwrap();
    toy
}

fn numbers(toy: &mut Toy) -> Vec<Float> {
    let mut numbers = Vec::new();
    toy.for_each_parameter(|_, param| numbers.extend(param.value().iter()));
    numbers
}

#[test]
fn the_mean_is_that_of_runs_which_end_at_those_epochs() {
    let wave = Wave::default();
    let end = |epochs| numbers(&mut trained(&wave, &averaging(None, epochs)));
    let ends: Vec<Vec<Float>> = (1..=EPOCHS).map(end).collect();
    for k in [1, 2, 3, EPOCHS, EPOCHS + 1] {
        let last = &ends[EPOCHS.saturating_sub(k)..];
        let expected = (0..ends[0].len()).map(|place| {
            let sum: f64 = last.iter().map(|end| f64::from(end[place])).sum();
            (sum / last.len() as f64) as Float
        });
        let found = numbers(&mut trained(&wave, &averaging(Some(k), EPOCHS)));
        assert!(expected.eq(found), "the last {k}");
    }
}

#[test]
fn a_run_that_is_stopped_and_goes_on_ends_with_the_same_mean() {
    let options = |epochs| averaging(Some(3), epochs);
    let expected = trained(&Wave::default(), &options(EPOCHS)).bits();

    // It fails after the last step of its fourth epoch, before the epoch has ended.
    let folder = tempfile::tempdir().unwrap();
    let failing = vec![Some(1.0), Some(1.0), Some(1.0), Some(f64::NAN)];
    let failing = Wave { evaluations: failing, ..Wave::default() };
    let begun = in_folder(folder.path(), options(EPOCHS));
    train(&failing, &mut Toy::new(1), &begun).unwrap_err();
    let resumed = Options { resume: true, ..begun };
    let mut toy = Toy::new(2);
    train(&Wave::default(), &mut toy, &resumed).unwrap();
    assert!(toy.bits() == expected);

    // There is nothing left to do, and the mean is there.
    let mut again = Toy::new(3);
    train(&Wave::default(), &mut again, &resumed).unwrap();
    assert!(again.bits() == expected);

    // It ended, and is to go on: from its last parameters, not from their mean.
    let folder = tempfile::tempdir().unwrap();
    train(&Wave::default(), &mut Toy::new(1), &in_folder(folder.path(), options(2))).unwrap();
    let longer = Options { resume: true, ..in_folder(folder.path(), options(EPOCHS)) };
    let mut toy = Toy::new(2);
    train(&Wave::default(), &mut toy, &longer).unwrap();
    assert!(toy.bits() == expected);
}
