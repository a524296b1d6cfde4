//! The model against attention written out, sentence by sentence and word by word.

use bahdanau::Reading;
use luong::program::{Choices, build};
use luong::windows::{Reach, around};
use luong::{Luong, Order, Score, Scoring};
use scoring_functions::Concat;
use seq2seq::{Batch, Sizes, Translator};
use shared::{Float, Matrix, Module, Tape, Var, rng};
use tests::assert_close;

fn sizes() -> Sizes {
    Sizes { source_words: 9, target_words: 8, embedding: 3, hidden: 4, layers: 1, dropout: 0.0 }
}

/// Three pairs; neither side is ordered as the other.
const PAIRS: [(&[usize], &[usize]); 3] =
    [(&[3, 4, 8, 5, 2], &[4, 2]), (&[5, 2], &[3, 5, 4, 6, 7, 2]), (&[4, 3, 7, 2], &[5, 3, 2])];

/// Every combination; the location score knows 3 positions, fewer than some sentences have.
fn all_choices() -> Vec<Choices> {
    let mut all = Vec::new();
    for score in [Scoring::Dot, Scoring::General, Scoring::Concat, Scoring::Location] {
        for reach in [Reach::Global, Reach::LocalM, Reach::LocalP] {
            for feeding in [false, true] {
                let known = Choices { positions: 3, window: 1, ..Choices::default() };
                all.push(Choices { score, reach, feeding, ..known });
            }
        }
    }
    all
}

/// A model that predicts positions all over the sentence.
fn model(choices: &Choices) -> Luong {
    let mut model = build(&sizes(), choices, &mut rng(3));
    if let Some(position) = &mut model.position {
        *position.v.value_mut() *= 8.0;
    }
    model
}

/// Luong's equations for one pair: the sum of −ln p, and the weights (source words, target words).
fn naive<'t>(
    model: &Luong,
    choices: &Choices,
    tape: &'t Tape,
    (source, target): (&[usize], &[usize]),
) -> (Var<'t>, Matrix) {
    let (h_bar, mut h) = read(model, tape, source);
    let words = h_bar.shape().1;
    let known = if choices.score == Scoring::Location { words.min(3) } else { words };
    let mut attentional = tape.constant(Matrix::zeros(4, 1)); // s̃₀
    let mut weights = Matrix::zeros(words, target.len());
    let mut logits = Vec::new();
    for t in 0..target.len() {
        let last = if t == 0 { 1 } else { target[t - 1] };
        let gru = &model.decoder.layers[0];
        let mut gates = gru.project(model.target.forward(tape, &[last]));
        if let Some(feed) = &model.feed {
            gates = gates + feed.forward(attentional);
        }
        h = gru.step(gates, h);
        let (c, inside) = look(model, choices, (h, h_bar), (t, known));
        for (s, weight) in &inside {
            weights[(*s, t)] = *weight;
        }
        attentional = (tape.param(&model.combine.weight) * c.stack(h)).tanh();
        logits.push(model.output.forward(attentional));
    }
    (shared::cross_entropy(Var::side_by_side(&logits), target), weights)
}

/// The context, and (position, weight) of every word in the window.
fn look<'t>(
    model: &Luong,
    choices: &Choices,
    (h, h_bar): (Var<'t>, Var<'t>),
    (t, known): (usize, usize),
) -> (Var<'t>, Vec<(usize, Float)>) {
    let tape = h.tape();
    let p = model.position.as_ref().map(|position| {
        let hidden = (tape.param(&position.w.weight) * h).tanh();
        let v = tape.param(&position.v) * (1.0 / Float::sqrt(h.shape().0 as Float));
        v.tr_mul(hidden).sigmoid() * known as Float
    });
    let center = match choices.reach {
        Reach::Global => None,
        Reach::LocalM => Some(t.min(known - 1) as Float),
        Reach::LocalP => Some(p.unwrap().scalar()),
    };
    let near = (0..known).filter(|s| center.is_none_or(|p| (*s as Float - p).abs() <= 1.0));
    let inside: Vec<usize> = near.collect();
    let e = scores(model, h, h_bar, known);
    let mut alpha = e.transpose().select_columns(&inside).transpose().softmax();
    if let Some(p) = p {
        let s = Matrix::from_iterator(inside.len(), 1, inside.iter().map(|s| *s as Float));
        let ones = tape.constant(Matrix::from_element(inside.len(), 1, 1.0));
        let distance = tape.constant(s) - ones * p;
        alpha = alpha.component_mul((distance.square() * -2.0).exp()); // D = 1: 2σ² = ½
    }
    let weights = inside.iter().copied().zip(alpha.value().iter().copied()).collect();
    (h_bar.select_columns(&inside) * alpha, weights)
}

fn scores<'t>(model: &Luong, h: Var<'t>, h_bar: Var<'t>, known: usize) -> Var<'t> {
    match &model.score {
        Score::Dot => h_bar.tr_mul(h),
        Score::General(general) => general.forward(h, h_bar),
        Score::Concat(additive) => {
            let e = additive.forward(h, h_bar);
            let literal = Concat::from(additive).forward(h, h_bar); // vᵀ tanh(W [h; h])
            assert_close!(&*literal.value(), &*e.value(), 1e-6);
            e
        }
        Score::Location(location) => location.w.forward(h).rows(0, known),
    }
}

/// `h` (4, m) and `h₀` (4, 1).
fn read<'t>(model: &Luong, tape: &'t Tape, source: &[usize]) -> (Var<'t>, Var<'t>) {
    let bahdanau::Encoder::BothDirections(both) = &model.encoder else { panic!("one direction") };
    let steps = recurrent_networks::Steps::new(&[source.len()]);
    let both = both.forward(model.source.forward(tape, source), &steps); // (8, m)
    let h_bar = model.narrow.as_ref().unwrap().forward(both);
    (h_bar, model.start[0].forward(both.columns(0, 1)).tanh())
}

type Gradients = Vec<(String, Matrix)>;

fn gradients(model: &mut Luong, loss: Var) -> (Float, Gradients) {
    let value = loss.scalar();
    let gradients = loss.backward();
    let mut all = Vec::new();
    model.for_each_parameter(|name, param| {
        let d = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {name}"));
        all.push((name.to_owned(), d.clone()));
    });
    (value, all)
}

fn compare((loss, d): &(Float, Gradients), (naive, dnaive): &(Float, Gradients), what: &str) {
    assert_close!(loss, naive, 1e-6, "{what}");
    for ((name, d), (_, dnaive)) in d.iter().zip(dnaive) {
        assert!(dnaive.amax() > 1e-5, "{what}: {name} has no influence");
        assert_close!(d, dnaive, 2e-5, "{what}: {name}");
    }
}

#[test]
fn losses_and_gradients_equal_the_formulas_sentence_by_sentence() {
    for choices in all_choices() {
        let mut model = model(&choices);
        let tape = Tape::new();
        let losses = PAIRS.map(|pair| naive(&model, &choices, &tape, pair).0);
        let expected = gradients(&mut model, losses[0] + losses[1] + losses[2]);
        let batch = Batch::new(&PAIRS, 1);
        let mut orders = vec![Order::StepByStep];
        orders.extend((!choices.feeding).then_some(Order::AllAtOnce));
        for order in orders {
            let tape = Tape::new();
            let loss = model.loss_in(order, &tape, &batch);
            let found = gradients(&mut model, loss);
            compare(&found, &expected, &format!("{order:?} {choices:?}"));
        }
    }
}

#[test]
fn decoding_looks_where_training_looked() {
    for choices in all_choices() {
        let model = model(&choices);
        for (source, target) in PAIRS {
            let tape = Tape::new();
            let (loss, weights) = naive(&model, &choices, &tape, (source, target));
            let (mut state, mut sum) = (model.encode(&[source]), 0.0);
            for (t, word) in target.iter().enumerate() {
                let next = model.next(&mut state, &[if t == 0 { 1 } else { target[t - 1] }]);
                sum -= next.log_probabilities[(*word, 0)];
                let alignment = weights.column(t).as_slice().to_vec();
                assert_close!(next.alignments[0], alignment, 1e-6, "{choices:?}");
            }
            assert_close!(sum, loss.scalar(), 1e-5, "{choices:?}");
        }
    }
}

#[test]
fn two_layers_over_one_direction_are_stepped_like_fused() {
    let sizes = Sizes { layers: 2, ..sizes() };
    let choices = Choices { feeding: false, reading: Reading::Forward, ..Choices::default() };
    let mut model = build(&sizes, &choices, &mut rng(1));
    let batch = Batch::new(&PAIRS, 1);
    let [stepped, fused] = [Order::StepByStep, Order::AllAtOnce].map(|order| {
        let tape = Tape::new();
        let loss = model.loss_in(order, &tape, &batch);
        gradients(&mut model, loss)
    });
    compare(&fused, &stepped, "two layers");
}

#[test]
#[should_panic(expected = "a state that is fed s̃ must wait for it")]
fn what_is_fed_back_cannot_be_computed_at_once() {
    let model = model(&Choices::default());
    let batch = Batch::new(&PAIRS, 1);
    model.loss_in(Order::AllAtOnce, &Tape::new(), &batch);
}

#[test]
fn a_position_that_is_no_number_leaves_the_window_open() {
    assert_eq!(around(Float::NAN, 1, 4), 0..4);
}
