//! Chapters 5 and 6 in f64: the loss of a ragged batch against finite differences, for every
//! parameter of the encoder–decoder without and with attention.

use bahdanau::fixed_context::FixedContext;
use bahdanau::{Bahdanau, Config, Reading};
use gradients::check_parameters;
use seq2seq::{Batch, EncoderDecoder, Sizes, Translator};
use shared::rng;

/// Three pairs of different lengths, their targets not in the order of their sources.
fn batch() -> Batch {
    let pairs: [(&[usize], &[usize]); 3] =
        [(&[3, 4, 2], &[4, 2]), (&[5, 2], &[3, 5, 4, 2]), (&[4, 3, 5, 2], &[5, 3, 2])];
    Batch::new(&pairs, 1)
}

fn sizes(layers: usize) -> Sizes {
    Sizes { source_words: 6, target_words: 6, embedding: 3, hidden: 4, layers, dropout: 0.0 }
}

fn check(model: impl Translator, what: &str) {
    let batch = batch();
    check_parameters(model, |model, tape| model.loss(tape, &batch), what);
}

#[test]
fn one_vector_between_encoder_and_decoder() {
    for layers in [1, 2] {
        check(EncoderDecoder::new(&sizes(layers), &mut rng(layers as u64)), &format!("{layers}"));
    }
}

#[test]
fn one_context_of_a_source_read_in_both_directions() {
    for layers in [1, 2] {
        check(FixedContext::new(&sizes(layers), &mut rng(layers as u64)), &format!("{layers}"));
    }
}

#[test]
fn attention_over_readings_in_both_directions_and_forward() {
    for (reading, layers) in
        [(Reading::BothDirections, 1), (Reading::BothDirections, 2), (Reading::Forward, 2)]
    {
        let config = Config { sizes: sizes(layers), reading, score: 5, state_dropout: 0.0 };
        check(Bahdanau::new(&config, &mut rng(layers as u64)), &format!("{config:?}"));
    }
}
