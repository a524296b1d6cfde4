//! Chapter 12 in f64: the loss of texts and of words against finite differences, for every parameter.

use bert::{Bert, Config, Special, Tokens};
use fine_tuning::{Asks, Classifier, Questions, SpanReader, Spans, read_words};
use gradients::check_parameters;
use shared::{Matrix, Module, Tape, Visitor, rng};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Uneven numbers of both signs.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// A model without what has no influence: the biases of its keys, and one more parameter.
struct Seen<M>(M, &'static str);

impl<M: Module> Module for Seen<M> {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.0.for_each_parameter(|name, param| {
            if !name.ends_with("w_k.bias") && name != self.1 && !param.is_frozen() {
                visitor.param(name, param);
            }
        });
    }
}

const CONFIG: Config = Config {
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

fn stirred(asks: Asks, classes: usize) -> Classifier {
    let bert = Bert::new(&CONFIG, &mut rng(0));
    stir(Classifier::new(bert, &CONFIG, asks, classes, &mut rng(1)))
}

/// Parameters as large as a trained model's, and all different.
fn stir<M: Module>(mut model: M) -> M {
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
        Seen(stirred(Asks::Sequences, 3), ""),
        |model, tape| model.0.loss(tape, &questions),
        "texts",
    );
}

#[test]
fn the_loss_of_words_reaches_every_parameter() {
    let questions = words();
    check_parameters(
        Seen(stirred(Asks::Words, 4), ""),
        |model, tape| model.0.loss(tape, &questions),
        "words",
    );
}

#[test]
fn the_loss_reaches_what_is_added_to_a_frozen_encoder() {
    let (questions, mut model) = (texts(), stirred(Asks::Sequences, 3));
    model.adapt(2, &mut rng(2));
    check_parameters(Seen(stir(model), ""), |model, tape| model.0.loss(tape, &questions), "added");
}

#[test]
fn the_loss_of_spans_reaches_every_parameter() {
    let [first, second] = [
        Spans::of(&[5, 8], &[7, 6], [1, 1], &SPECIAL),
        Spans::of(&[6], &[5, 7, 8, 6], [0, 2], &SPECIAL),
    ];
    let spans = Spans::side_by_side([&first, &second]);
    let model = stir(SpanReader::new(Bert::new(&CONFIG, &mut rng(0)), &CONFIG, &mut rng(1)));
    // What is the same for all tokens, a softmax over tokens does not see.
    let model = Seen(model, "bert.blocks.1.feed_forward_norm.bias");
    check_parameters(model, |model, tape| model.0.loss(tape, &spans), "spans");
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
