//! Chapter 15 in f64: convolutions, the whole model and pooling against finite differences.

use captioning::pooling::Classifier;
use captioning::{Captioner, Config, word_of};
use gradients::check_parameters;
use seq2seq::{Batch, Translator};
use shared::{Module, rng};

/// Two pictures of uneven colours.
fn pictures() -> [Vec<usize>; 2] {
    let channel = |i: usize, phase: f64| (127.5 + 120.0 * (0.7 * i as f64 + phase).sin()) as u8;
    [0.0, 2.0].map(|phase| {
        (0..1024).map(|i| word_of([0.0, 1.0, 4.0].map(|c| channel(i, phase + c)))).collect()
    })
}

fn config() -> Config {
    Config { channels: [2, 3, 3], embedding: 3, hidden: 3, score: 3, even: 0.3, ..Config::new(6) }
}

#[test]
fn the_whole_model_with_gate_and_doubly_stochastic_term() {
    let [first, second] = pictures();
    let batch = Batch::new(&[(&first, &[4, 2]), (&second, &[3, 5, 2])], 1);
    let model = Captioner::new(&config(), &mut rng(3));
    check_parameters(model, |model, tape| model.training_loss(tape, &batch), "captioner");
    let plain = Captioner::new(&Config { gate: false, even: 0.0, ..config() }, &mut rng(4));
    check_parameters(plain, |model, tape| model.training_loss(tape, &batch), "without gate");
}

#[test]
fn attention_pooling() {
    let pictures = pictures();
    let slices: Vec<&[usize]> = pictures.iter().map(Vec::as_slice).collect();
    let mut model = Classifier::new([2, 3, 3], true, 3, &mut rng(5));
    // Where nothing is on below, a bias of 0 would stand on the kink of ReLU.
    model.encoder.for_each_parameter(|name, param| {
        if name.ends_with("bias") {
            let biases = [0.13, -0.21, 0.17];
            param.value_mut().iter_mut().zip(biases).for_each(|(b, bias)| *b = bias);
        }
    });
    let query = model.query.as_mut().unwrap();
    query.value_mut().copy_from_slice(&[1.0, -2.0, 0.5]);
    check_parameters(model, |model, tape| model.loss(tape, &slices, &[2, 0]), "one query");
}
