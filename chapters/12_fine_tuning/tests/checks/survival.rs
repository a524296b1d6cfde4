//! A fine-tuning that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, bits, ends_the_same};
use crate::support::{encoder, few};
use fine_tuning::program::{Form, Reader, Start, Task, TuningTask, begin, options};
use workbench::training::{Options, Schedule, Shape, json};

/// What is trained, and whether the encoder is frozen: all of it on sentences, the new layer alone on words.
const TOPIC: (Task, bool) = (Task::Topic, false);
const TAGS: (Task, bool) = (Task::Tags, true);

/// Three epochs of three steps, with dropout.
fn run((task, frozen): (Task, bool), run: &Run) -> End {
    let data = few(task, 12);
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.2;
    let mut model = begin(&encoder, &data, Start { from_scratch: false, frozen }, 0);
    let reader = Reader::new(encoder.pieces, &encoder.config, data.form);
    let (read, watched) = (reader.read(&data.training), reader.read(&data.validation));
    let task = TuningTask::new(&read.sequences, Some(&watched), 4, json!({}));
    let options = Options {
        epochs: 3,
        schedule: Schedule { rate: 1e-2, warmup: 2, shape: Shape::Linear { total: 9 } },
        ..options(1e-2)
    };
    run.train(task, &mut model, options)
}

/// Killed in the first epoch, and again in the last one: order and dropout are drawn as if nothing had
/// happened, the rate goes on falling, and what is frozen stays.
fn ends_as_it_would((task, frozen): (Task, bool), test: &str) {
    let (end, _) = ends_the_same(test, &[2, 5], |how| run((task, frozen), how));
    let start = Start { from_scratch: false, frozen };
    let mut start = begin(&encoder(Form::Pair), &few(task, 12), start, 0);
    let moved = bits(&mut start).iter().zip(&end).filter(|(a, b)| a != b).count();
    assert_eq!(moved == 2, frozen, "{task:?}: {moved} parameters moved");
}

#[test]
fn a_fine_tuning_that_is_killed_ends_the_same() {
    ends_as_it_would(TOPIC, "survival::a_fine_tuning_that_is_killed_ends_the_same");
}

#[test]
fn a_frozen_encoder_that_is_killed_ends_the_same() {
    ends_as_it_would(TAGS, "survival::a_frozen_encoder_that_is_killed_ends_the_same");
}
