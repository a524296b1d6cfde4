//! Chapter 12's figure: a reader labels a word in each of ten texts, and a new layer learns from it, once on chapter
//! 11's trained encoder and once on the same network with random numbers.
//!
//! Both encoders are frozen, so every text is read once, and the new layers are all that is computed again.

use crate::filling::{Filler, SPECIAL, letters};
use bert::{Pretraining, cut_word};
use fine_tuning::{Asks, Classifier, read_words};
use shared::{Adam, Float, Matrix, Optimizer, Tape, cross_entropy};
use std::cell::RefCell;
use std::sync::Arc;

const CLASSES: usize = 2;
const RATE: Float = 0.01;

thread_local! {
    static TUNING: RefCell<Option<Tuning>> = const { RefCell::new(None) };
}

struct Tuning {
    pieces: Vec<String>,
    /// The new layers on the trained encoder, on the other one.
    probes: [Probe; 2],
}

struct Probe {
    model: Classifier,
    /// The deviation of what a new layer is drawn from.
    deviation: Float,
    /// The encoder's vectors of the word that is asked, a column for every text.
    features: Vec<Arc<Matrix>>,
    adam: Adam,
}

/// What [`filler`](crate::filler()) takes → nothing.
pub fn tuning(numbers: &[Float]) -> Vec<Float> {
    let Filler { pieces, config, model } = Filler::read(numbers);
    let rng = &mut shared::rng(0);
    let probes = [model, Pretraining::new(&config, rng)].map(|encoder| {
        let mut model = Classifier::new(encoder.bert, &config, Asks::Words, CLASSES, rng);
        model.freeze_encoder(true);
        let deviation = config.deviation;
        Probe { model, deviation, features: Vec::new(), adam: Adam::new(RATE) }
    });
    TUNING.set(Some(Tuning { pieces, probes }));
    Vec::new()
}

fn with<T>(what: impl FnOnce(&mut Tuning) -> T) -> T {
    TUNING.with_borrow_mut(|tuning| what(tuning.as_mut().expect("what `tuning` keeps")))
}

/// Which word is asked, counted from 0; then a text's letters, its words and marks parted by blanks → nothing: both
/// encoders read it, after those that they have read before.
pub fn tune_read(numbers: &[Float]) -> Vec<Float> {
    with(|Tuning { pieces, probes }| {
        let known = pieces.iter().map(String::as_str).zip(0..).collect();
        let text = letters(&numbers[1..]);
        let words = text.split(' ').map(|word| cut_word(word, &known).unwrap_or_default());
        let words: Vec<_> = words.collect();
        let all = read_words(&words, Vec::new(), &SPECIAL);
        let asked = [all.asked[numbers[0] as usize]];
        for Probe { model, features, .. } in probes {
            let tape = Tape::no_grad();
            features.push(model.bert.forward_some(&tape, &all.tokens, &asked).value());
        }
    });
    Vec::new()
}

/// A seed → nothing: new layers, the same upon both encoders.
pub fn tune_start(numbers: &[Float]) -> Vec<Float> {
    with(|Tuning { probes, .. }| {
        for Probe { model, deviation, adam, .. } in probes {
            let layer = &mut model.classifier;
            bert::draw_weights(layer, *deviation, &mut shared::rng(numbers[0] as u64));
            let bias = layer.bias.as_mut().expect("a layer has a bias");
            bias.value_mut().fill(0.0);
            *adam = Adam::new(RATE);
        }
    });
    Vec::new()
}

/// The first texts' labels, 0 or 1 → after one more step from these, the loss that it began with, in nats a text,
/// of the layer on the trained encoder and of the other one.
pub fn tune_train(numbers: &[Float]) -> Vec<Float> {
    let labels: Vec<usize> = numbers.iter().map(|label| *label as usize).collect();
    with(|Tuning { probes, .. }| {
        let mut losses = Vec::new();
        for Probe { model, features, adam, .. } in probes {
            let tape = Tape::new();
            let h = tape.constant(side_by_side(&features[..labels.len()]));
            let sum = cross_entropy(model.classifier.forward(h), &labels);
            let loss = sum * (1.0 / labels.len() as Float);
            losses.push(loss.scalar());
            adam.step(model, &loss.backward().into());
        }
        losses
    })
}

/// The last texts' true labels, 0 or 1 → for both encoders, the share of these that is right, and of every text that
/// was read the probability of 1.
pub fn tune_answer(numbers: &[Float]) -> Vec<Float> {
    with(|Tuning { probes, .. }| {
        let mut answer = Vec::new();
        for Probe { model, features, .. } in probes {
            let tape = Tape::no_grad();
            let logits = model.classifier.forward(tape.constant(side_by_side(features)));
            let second = logits.softmax().value().row(1).transpose();
            let unseen = second.rows(features.len() - numbers.len(), numbers.len());
            let told = unseen.iter().zip(numbers);
            let right = told.filter(|(p, label)| (**p > 0.5) == (**label == 1.0)).count();
            answer.push(right as Float / numbers.len() as Float);
            answer.extend(second.iter());
        }
        answer
    })
}

fn side_by_side(columns: &[Arc<Matrix>]) -> Matrix {
    let columns: Vec<_> = columns.iter().map(|column| column.column(0).into_owned()).collect();
    Matrix::from_columns(&columns)
}
