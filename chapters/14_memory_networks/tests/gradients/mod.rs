//! Chapter 14 in f64: the losses against finite differences, for every parameter.

use gradients::check_parameters;
use memory_networks::{
    Alignment, Answers, KeyValue, MemoryNetwork, Order, SelfAttending, Sizes, Stories,
};
use shared::{Module, Ragged, Tape, Var, cross_entropy, rng};

fn stories(values: bool) -> Stories {
    let sentences: [&[usize]; 5] = [&[0, 1], &[2, 3, 4], &[5], &[4, 1, 2, 0], &[3, 3]];
    let held: [&[usize]; 5] = [&[4], &[0, 5], &[1], &[2], &[3]];
    Stories {
        sentences: Ragged::new(&sentences),
        values: values.then(|| Ragged::new(&held)),
        offsets: vec![0, 3, 5],
        questions: Ragged::new(&[&[5, 1], &[2, 3, 4]]),
    }
}

const SIZES: Sizes = Sizes { words: 6, memory: 3, width: 3, hops: 2 };

/// Makes parameters as large as a trained model's.
fn grown<M: Module>(mut model: M) -> M {
    model.for_each_parameter(|_, param| *param.value_mut() *= 3.0);
    model
}

fn loss<'t>(model: &impl Answers, tape: &'t Tape, values: bool, alignment: Alignment) -> Var<'t> {
    cross_entropy(model.answer(tape, &stories(values), alignment).logits, &[4, 1])
}

#[test]
fn hops_reach_every_parameter() {
    for alignment in [Alignment::Softmax, Alignment::Linear] {
        for order in [Order::Positions, Order::Bag] {
            let mut network = grown(MemoryNetwork::new(SIZES, &mut rng(0)));
            network.order = order;
            check_parameters(network, |m, tape| loss(m, tape, false, alignment), "end to end");
        }
    }
}

#[test]
fn keys_and_values_reach_every_parameter() {
    for values in [true, false] {
        let mut network = KeyValue::new(6, 3, 2, Order::Positions, &mut rng(1));
        *network.words.value_mut() *= 6.0;
        *network.answers.value_mut() *= 6.0;
        let what = if values { "keys and values" } else { "sentences" };
        check_parameters(network, |m, tape| loss(m, tape, values, Alignment::Softmax), what);
    }
}

#[test]
fn self_attention_reaches_every_parameter() {
    let mut model = SelfAttending::new(SIZES, &mut rng(2));
    for table in [&mut model.words, &mut model.times, &mut model.answers] {
        *table.value_mut() *= 6.0;
    }
    check_parameters(model, |m, tape| loss(m, tape, false, Alignment::Softmax), "self-attention");
}
