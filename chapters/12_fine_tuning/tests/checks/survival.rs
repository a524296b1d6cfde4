//! A fine-tuning that is killed, twice, or runs on other threads, ends the same.

use crate::runs::{End, Run, bits, ends_the_same};
use crate::support::{encoder, few};
use fine_tuning::program::{Form, Learns, Reader, Start, Task, TuningTask, begin, options};
use shared::Module;
use workbench::training::{Options, Schedule, Shape, json};

/// What is trained: all of it on sentences, the new layer alone on words, what is added on pairs.
const TOPIC: (Task, Learns) = (Task::Topic, Learns::Everything);
const TAGS: (Task, Learns) = (Task::Tags, Learns::Nothing);
const CONTINUATION: (Task, Learns) = (Task::Continuation, Learns::LowRank(2));

/// Three epochs of three steps, with dropout.
fn run((task, learns): (Task, Learns), run: &Run) -> End {
    let data = few(task, 12);
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.2;
    let mut model = begin(&encoder, &data, Start { from_scratch: false, learns }, 0);
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
fn ends_as_it_would((task, learns): (Task, Learns), test: &str) {
    let (end, _) = ends_the_same(test, &[2, 5], |how| run((task, learns), how));
    let start = Start { from_scratch: false, learns };
    let mut start = begin(&encoder(Form::Pair), &few(task, 12), start, 0);
    let moved = bits(&mut start).iter().zip(&end).filter(|(a, b)| a != b).count();
    let mut learn = 0;
    start.for_each_parameter(|_, param| learn += usize::from(!param.is_frozen()));
    let all = learns == Learns::Everything; // of which a sentence alone leaves a vector of segments
    assert!(moved == learn || all && moved < learn, "{learns:?}: {moved} of {learn} moved");
}

#[test]
fn a_fine_tuning_that_is_killed_ends_the_same() {
    ends_as_it_would(TOPIC, "survival::a_fine_tuning_that_is_killed_ends_the_same");
}

#[test]
fn a_frozen_encoder_that_is_killed_ends_the_same() {
    ends_as_it_would(TAGS, "survival::a_frozen_encoder_that_is_killed_ends_the_same");
}

#[test]
fn what_is_added_to_an_encoder_that_is_killed_ends_the_same() {
    ends_as_it_would(
        CONTINUATION,
        "survival::what_is_added_to_an_encoder_that_is_killed_ends_the_same",
    );
}
