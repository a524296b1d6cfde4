//! Chapter 9's trained model, which names what *it* stands for in a sentence that a reader types.

use crate::packed;
use self_attention::reader::{NEAR, Resolver, Texts};
use shared::{Float, Tape};
use std::cell::RefCell;

thread_local! {
    static MODEL: RefCell<Option<Resolver>> = const { RefCell::new(None) };
}

/// How many words there are, then the [`packed`] parameters of the model that chapter 9's example `pronoun`
/// trains → nothing.
pub fn resolver(numbers: &[Float]) -> Vec<Float> {
    let mut model = Resolver::new(numbers[0] as usize, NEAR, &mut shared::rng(0));
    packed::unpack(&mut model, &numbers[1..]);
    MODEL.set(Some(model));
    Vec::new()
}

/// Where *it* is, then a sentence's words → the three most probable answers, a word and its probability in turn;
/// then the weights of the heads, block after block: for every word that asks, those of all words.
pub fn resolve(numbers: &[Float]) -> Vec<Float> {
    let words: Vec<usize> = numbers[1..].iter().map(|word| *word as usize).collect();
    let texts = Texts::new([&words[..]]);
    MODEL.with_borrow(|model| {
        let model = model.as_ref().expect("a resolver");
        let tape = Tape::no_grad();
        let (logits, looked) = model.forward(&tape, &texts, &[numbers[0] as usize]);
        let p = logits.softmax().value(); // (words, 1)
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
        let best = order[..3].iter().flat_map(|word| [*word as Float, p[*word]]);
        let heads = looked.iter().flat_map(|block| (0..block.heads()).map(|i| block.of(0, i)));
        best.chain(heads.flatten().copied()).collect()
    })
}
