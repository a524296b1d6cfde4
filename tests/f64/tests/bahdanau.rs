//! Chapters 5 and 6 in f64: the loss of a ragged batch against finite differences, for every
//! parameter of the encoder–decoder without and with attention.

use bahdanau::{Bahdanau, Config, Reading};
use seq2seq::{Batch, EncoderDecoder, Sizes, Translator};
use shared::{Matrix, Module, Param, Tape, rng};
use tests::assert_close;

/// Three pairs of different lengths, their targets not in the order of their sources.
fn batch() -> Batch {
    let pairs: [(&[usize], &[usize]); 3] =
        [(&[3, 4, 2], &[4, 2]), (&[5, 2], &[3, 5, 4, 2]), (&[4, 3, 5, 2], &[5, 3, 2])];
    Batch::new(&pairs, 1)
}

fn sizes(layers: usize) -> Sizes {
    Sizes { source_words: 6, target_words: 6, embedding: 3, hidden: 4, layers, dropout: 0.0 }
}

/// Finite differences, parameter by parameter, entry by entry.
fn check(mut model: impl Translator) {
    let batch = batch();
    let loss = |model: &_| Translator::loss(model, &Tape::new(), &batch, None).scalar();
    let tape = Tape::new();
    let gradients = model.loss(&tape, &batch, None).backward();
    for name in model.parameter_names() {
        let mut start = Matrix::zeros(0, 0);
        let mut analytic = Matrix::zeros(0, 0);
        with(&mut model, &name, |param| {
            start = param.value().clone();
            analytic = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {name}")).clone();
        });
        let mut numeric = Matrix::zeros(start.nrows(), start.ncols());
        let h = f64::EPSILON.cbrt();
        for i in 0..start.len() {
            let mut at = |x| {
                with(&mut model, &name, |param| param.value_mut()[i] = x);
                loss(&model)
            };
            numeric[i] = (at(start[i] + h) - at(start[i] - h)) / (2.0 * h);
            at(start[i]);
        }
        assert!(numeric.amax() > 1e-4, "{name} has no influence");
        assert_close!(analytic, numeric, 1e-8, "{name}");
    }
}

fn with(model: &mut impl Module, name: &str, mut f: impl FnMut(&mut Param)) {
    model.for_each_parameter(|other, param| {
        if other == name {
            f(param);
        }
    });
}

#[test]
fn one_vector_between_encoder_and_decoder() {
    for layers in [1, 2] {
        check(EncoderDecoder::new(&sizes(layers), &mut rng(layers as u64)));
    }
}

#[test]
fn attention_over_readings_in_both_directions_and_forward() {
    for (reading, layers) in
        [(Reading::BothDirections, 1), (Reading::BothDirections, 2), (Reading::Forward, 2)]
    {
        let config = Config { sizes: sizes(layers), reading, score: 5 };
        check(Bahdanau::new(&config, &mut rng(layers as u64)));
    }
}
