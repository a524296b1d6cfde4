//! Chapter 12 in f64: the loss of texts and of words against finite differences, for every parameter.

use bert::{Bert, Config, Special, Tokens};
use fine_tuning::{Asks, Classifier, Questions, read_words};
use gradients::check_parameters;
use shared::{Matrix, Module, Tape, Visitor, rng};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Uneven numbers of both signs.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// A model without the biases of its keys, which have no influence.
struct Seen(Classifier);

impl Module for Seen {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.0.for_each_parameter(|name, param| {
            if !name.ends_with("w_k.bias") {
                visitor.param(name, param);
            }
        });
    }
}

/// Parameters as large as a trained model's, and all different.
fn stirred(asks: Asks, classes: usize) -> Classifier {
    let config = Config {
        vocabulary: 9,
        width: 4,
        feed_forward: 5,
        heads: 2,
        blocks: 2,
        longest: 8,
        segments: 2,
        dropout: 0.0,
        epsilon: 1e-12,
        deviation: 0.02,
    };
    let bert = Bert::new(&config, &mut rng(0));
    let mut model = Classifier::new(bert, &config, asks, classes, &mut rng(1));
    let mut phase = 0.0;
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        *param.value_mut() += uneven(rows, columns, phase) * 0.4;
        phase += 0.7;
    });
    model
}

fn texts() -> Questions {
    let pair = Tokens::of(&[5, 8], Some(&[7]), &SPECIAL);
    let text = Tokens::of(&[6, 5, 7], None, &SPECIAL);
    Questions::of_sequences(Tokens::side_by_side(&[pair, text]), vec![2, 0])
}

fn words() -> Questions {
    let first = read_words(&[vec![5, 8], vec![7]], vec![1, 0], &SPECIAL);
    let second = read_words(&[vec![6], vec![], vec![5, 7, 8]], vec![3, 1, 2], &SPECIAL);
    Questions::side_by_side([&first, &second])
}

#[test]
fn the_loss_of_texts_reaches_every_parameter() {
    let questions = texts();
    check_parameters(
        Seen(stirred(Asks::Sequences, 3)),
        |model, tape| model.0.loss(tape, &questions),
        "texts",
    );
}

#[test]
fn the_loss_of_words_reaches_every_parameter() {
    let questions = words();
    check_parameters(
        Seen(stirred(Asks::Words, 4)),
        |model, tape| model.0.loss(tape, &questions),
        "words",
    );
}

/// The new layer's gradient is the same whether the encoder is frozen or not.
#[test]
fn a_frozen_encoder_leaves_the_gradient_of_the_new_layer_as_it_is() {
    let (questions, mut model) = (texts(), stirred(Asks::Sequences, 3));
    let gradient = |model: &Classifier| {
        let gradients = model.loss(&Tape::new(), &questions).backward();
        gradients.of(&model.classifier.weight).cloned().expect("a gradient")
    };
    let full = gradient(&model);
    model.freeze_encoder(true);
    assert_eq!(gradient(&model), full);
}
