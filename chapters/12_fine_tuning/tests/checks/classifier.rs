//! What is trained and what stays.

use crate::support::{encoder, few};
use fine_tuning::program::{Data, Learns, Reader, Start, Task, begin};
use fine_tuning::{Classifier, Questions};
use shared::{Matrix, Module, Tape, rng};
use tests::assert_close;

/// A model of a task and its examples, as they are read.
fn start(data: &Data, start: Start) -> (Classifier, Reader) {
    let mut encoder = encoder(data.form);
    encoder.config.dropout = 0.1;
    let model = begin(&encoder, data, start, 3);
    (model, Reader::new(encoder.pieces, &encoder.config, data.form))
}

const FULL: Start = Start { from_scratch: false, learns: Learns::Everything };
const FROZEN: Start = Start { learns: Learns::Nothing, ..FULL };

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

/// Training begins where the encoder stood; afterwards the sums, written into it, give the same logits.
#[test]
fn what_is_added_to_an_encoder_can_be_written_into_it() {
    let data = few(Task::Topic, 6);
    let (full, reader) = start(&data, FULL);
    let (mut model, _) = start(&data, Start { learns: Learns::LowRank(2), ..FULL });
    let questions = Questions::side_by_side(&reader.read(&data.training).sequences);
    let logits =
        |model: &Classifier| Matrix::clone(&model.logits(&Tape::new(), &questions).value());
    let before = logits(&full);
    assert_eq!(logits(&model), before);
    let gradients = model.loss(&Tape::new(), &questions).backward();
    let mut learn = Vec::new();
    model.for_each_parameter(|name, param| {
        assert_eq!(gradients.of(param).is_none(), name.starts_with("bert."), "{name}");
        if name.starts_with("lora.") {
            learn.push(name.to_string());
            param
                .value_mut()
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x += 5.0 * (i as f32).sin());
        }
    });
    assert_eq!(learn.len(), 2 * 2 * full.bert.blocks.len(), "{learn:?}");
    let added = logits(&model);
    assert!((&added - &before).amax() > 0.1 * before.amax());
    model.freeze_encoder(false); // what learns has its sum, too
    assert_eq!(logits(&model), added);
    model.merge();
    assert_close!(logits(&model) / before.amax(), added / before.amax(), 1e-5);
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
