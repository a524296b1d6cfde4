//! Words in, words out: backward through time as derived, and a network that writes.

use rand::RngExt;
use recurrent_networks::ngrams::Ngrams;
use recurrent_networks::through_time::{Sequence, through_time};
use recurrent_networks::{Gru, LanguageModel, Recurrent, Rnn, Steps, draw};
use shared::{Matrix, Tape, rng};
use tests::assert_close;

fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
}

/// The recursion of the page gives the gradients of the layer, whatever the loss asks of each state.
#[test]
fn backward_through_time_as_derived_is_the_layers() {
    for steps in [1, 2, 7] {
        let layer = Rnn::new(3, 5, &mut rng(1));
        let (x, local) = (uneven(3, steps, 0.0), uneven(5, steps, 1.0));
        let tape = Tape::new();
        let leaf = tape.leaf(x.clone());
        let h = layer.forward(leaf, &Steps::new(&[steps]), None);
        let states = Matrix::clone(&h.value());
        let gradients = h.component_mul(tape.constant(local.clone())).sum().backward();
        let (w, u) = (layer.weights.weight_x.value(), layer.weights.weight_h.value());
        let naive = through_time(Sequence { w, u, x: &x, h: &states }, &local);
        assert_close!(naive.dx, gradients.wrt(leaf), 1e-5);
        let of = |param| gradients.of(param).expect("a gradient").clone();
        assert_close!(naive.dw, of(&layer.weights.weight_x), 1e-5);
        assert_close!(naive.db, of(&layer.weights.bias_x).column(0), 1e-5);
        match steps {
            1 => assert_eq!(naive.du, Matrix::zeros(5, 5)),
            _ => assert_close!(naive.du, of(&layer.weights.weight_h), 1e-5),
        }
    }
}

/// An embedding is a product with a one-hot column, and writing reads on from the last state what
/// reading from the beginning finds.
#[test]
fn a_word_is_a_column_and_writing_is_reading_on() {
    let model: LanguageModel<Gru> = LanguageModel::new(9, 4, 6, 2, &mut rng(3));
    let tape = Tape::no_grad();
    let mut one_hot = Matrix::zeros(9, 1);
    one_hot[5] = 1.0;
    let word = model.words.forward(&tape, &[5]).value();
    assert_eq!(*word, model.words.weight.value() * one_hot);

    let text = model.write([1, 2], 12, 1.0, &mut rng(7));
    let mut tickets = rng(7);
    for t in 0..text.len() {
        let read: Vec<usize> = [1].into_iter().chain(text[..t].iter().copied()).collect();
        let logits = model.forward(&tape, &read, &Steps::new(&[t + 1])).value();
        assert_eq!(draw(logits.column(t).as_slice(), 1.0, tickets.random()), text[t], "{t}");
    }
    assert!(text.len() > 2 && !text.contains(&2));
}

/// Words come as often as they are probable, and a low temperature prefers the most probable one.
#[test]
fn words_are_drawn_as_often_as_they_are_probable() {
    let logits = [0.0, 1.0, 2.0];
    let mut rng = rng(5);
    let mut share = |temperature: f32| {
        let hits = (0..20_000).filter(|_| draw(&logits, temperature, rng.random()) == 2).count();
        hits as f32 / 20_000.0
    };
    // Four standard errors of a share of 20,000 draws.
    assert!((share(1.0) - 0.665).abs() < 0.0134);
    assert!((share(0.5) - 0.867).abs() < 0.0097);
    assert!((share(5.0) - 0.402).abs() < 0.0139);
}

#[test]
fn counts_give_probabilities() {
    let sentences = [vec![3, 4, 2], vec![3, 5, 2], vec![4, 2]];
    let ngrams = Ngrams::new(6, 1, &sentences);
    for context in [&[][..], &[3], &[1, 3], &[5, 5]] {
        let sum: f64 = (0..6).map(|word| ngrams.probability(context, word)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{context:?}: {sum}");
    }
    // 3 stands first twice of three times; 8 words in all, half an observation more of each of six.
    let first = (2.0 + 5.0 * 2.5 / 11.0) / (3.0 + 5.0);
    assert!((ngrams.probability(&[1], 3) - first).abs() < 1e-12);
    assert!(ngrams.loss(2, 1, &sentences) < ngrams.loss(1, 1, &sentences));
}
