//! A fine-tuning that is killed, twice, ends as if nothing had happened.

use crate::stuck::{self, Stuck};
use crate::support::{bits, encoder, few};
use fine_tuning::experiment::{Form, Reader, Start, Task, TuningTask, begin, options};
use std::ffi::OsString;
use std::path::Path;
use workbench::training::{Options, Schedule, Shape, json, train};

/// Three epochs of three steps, with dropout, on sentences or on words: the bits of all parameters.
fn run(
    (task, frozen): (Task, bool),
    stuck: usize,
    checkpoint: Option<&Path>,
) -> Vec<(String, Vec<u32>)> {
    let data = few(task, 12);
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.2;
    let mut model = begin(&encoder, &data, Start { from_scratch: false, frozen }, 0);
    let reader = Reader::new(encoder.pieces, &encoder.config, data.form);
    let (read, watched) = (reader.read(&data.training), reader.read(&data.validation));
    let task = TuningTask::new(&read.sequences, Some(&watched), 4, json!({}), &|| ());
    let options = Options {
        epochs: 3,
        schedule: Schedule { rate: 1e-2, warmup: 2, shape: Shape::Linear { total: 9 } },
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..options(1e-2)
    };
    let history = train(&Stuck::new(task, stuck), &mut model, &options).unwrap();
    assert_eq!(history.epochs.len(), 3);
    bits(&mut model)
}

/// All of the encoder on sentences; the new layer alone on words.
const RUNS: [(Task, bool); 2] = [(Task::Sense, false), (Task::Tags, true)];

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let (stuck, folder) = stuck::from_environment();
    let number: usize = std::env::var("RUN").expect("a run").parse().unwrap();
    run(RUNS[number], stuck, Some(&folder));
}

/// Killed in the first epoch, and again in the last one: order and dropout are drawn as if nothing had
/// happened, the rate goes on falling, and what is frozen stays.
#[test]
fn a_killed_fine_tuning_goes_on_to_the_same_bits() {
    for (number, (task, frozen)) in RUNS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let number = OsString::from(number.to_string());
        let test = "survival::trains_until_it_is_killed";
        stuck::kill(test, folder.path(), &[2, 5], &[("RUN", &number)]);
        let resumed = run((task, frozen), usize::MAX, Some(folder.path()));
        let expected = run((task, frozen), usize::MAX, None);
        assert!(resumed == expected, "{task:?}: the parameters differ");
        let start = Start { from_scratch: false, frozen };
        let mut start = begin(&encoder(Form::Pair), &few(task, 12), start, 0);
        let moved = bits(&mut start).iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert_eq!(moved == 2, frozen, "{task:?}: {moved} parameters moved");
    }
}
