//! What is trained and what stays.

use crate::support::{encoder, few};
use fine_tuning::program::{Data, Reader, Start, Task, begin};
use fine_tuning::{Classifier, Questions};
use shared::{Module, Tape, rng};
use tests::assert_close;

/// A model of a task and its examples, as they are read.
fn start(data: &Data, start: Start) -> (Classifier, Reader) {
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.1;
    let model = begin(&encoder, data, start, 3);
    (model, Reader::new(encoder.pieces, &encoder.config, data.form))
}

const FULL: Start = Start { from_scratch: false, frozen: false };
const FROZEN: Start = Start { frozen: true, ..FULL };

#[test]
fn nothing_of_a_frozen_encoder_has_a_gradient_or_changes_from_reading_to_reading() {
    let data = few(Task::Topic, 6);
    let (mut model, reader) = start(&data, FROZEN);
    let read = reader.read(&data.training);
    let questions = Questions::side_by_side(&read.sequences);
    let tape = Tape::new();
    let gradients = model.loss(&tape, &questions).backward();
    model.for_each_parameter(|name, param| {
        assert_eq!(gradients.of(param).is_none(), name.starts_with("bert."), "{name}");
    });
    model.dropout = 0.0; // what is left of it is in front of the new layer
    let logits = |seed| model.logits(&Tape::training(rng(seed)), &questions).value();
    assert_eq!(logits(1), logits(2));
    model.freeze_encoder(false);
    let logits = |seed| model.logits(&Tape::training(rng(seed)), &questions).value();
    assert_ne!(logits(1), logits(2));
}

/// What others are read beside a sequence has no influence, nor have the shards of a batch.
#[test]
fn the_loss_is_a_sum() {
    for task in Task::ALL {
        let data = few(task, 6);
        let (model, reader) = start(&data, FULL);
        let read = reader.read(&data.training);
        let loss = |questions: &Questions| model.loss(&Tape::new(), questions).scalar();
        let together = loss(&Questions::side_by_side(&read.sequences));
        let alone: f32 = read.sequences.iter().map(loss).sum();
        assert_close!(together, alone, 1e-4, "{task:?}");
    }
}

/// Words lose nothing; texts lose their end.
#[test]
fn texts_that_are_too_long_are_cut_and_words_read_in_parts() {
    let mut data = few(Task::Tags, 2);
    let (_, reader) = start(&data, FULL);
    for example in &mut data.training {
        example.texts = vec![example.texts.clone(); 8].concat();
        example.answers = vec![example.answers.clone(); 8].concat();
    }
    let read = reader.read(&data.training);
    assert_eq!(read.too_long, 2);
    assert!(read.sequences.iter().all(|sequence| sequence.tokens.len() <= 64));
    let of_first = read.sequences.iter().zip(&read.examples).filter(|(_, example)| **example == 0);
    let answers: Vec<usize> = of_first.flat_map(|(sequence, _)| sequence.answers.clone()).collect();
    assert_eq!(answers, data.training[0].answers);

    let mut data = few(Task::Continuation, 4);
    let (_, reader) = start(&data, FULL);
    data.training[1].texts[0] = data.training[1].texts[0].repeat(20);
    let read = reader.read(&data.training);
    assert!(read.too_long >= 1 && read.sequences.len() == 4);
    assert!(read.sequences.iter().all(|sequence| sequence.tokens.len() <= 64));
    assert!(reader.notice(read.too_long).unwrap().contains("more than 64 pieces"));
    assert_eq!(reader.notice(0), None);
}
