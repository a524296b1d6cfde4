//! Chapter 16's trained language model, which goes on with a text of its world.

use crate::packed;
use language_model::world::{self, WORDS, World};
use language_model::{Config, Gpt, Sampling};
use shared::{Float, Ragged, Tape};
use std::cell::RefCell;

thread_local! {
    static MODEL: RefCell<Option<Gpt>> = const { RefCell::new(None) };
}

/// The [`packed`] parameters of the model that `cargo run --release -p language_model` trains → the letters of the
/// world's words, with a break of line after each.
pub fn writer(numbers: &[Float]) -> Vec<Float> {
    let mut model = Gpt::new(&Config::today(WORDS.len()), &mut shared::rng(0));
    packed::unpack(&mut model, numbers);
    MODEL.set(Some(model));
    let letters = WORDS.iter().flat_map(|word| word.chars().chain(['\n']));
    letters.map(|letter| u32::from(letter) as Float).collect()
}

/// The temperature, top-p, a ticket from U(0, 1), then a text's words after the one that begins it → the word that
/// is drawn; for each word of the vocabulary the probability by which it is drawn; for each that of the world, 0 if
/// what was said cannot be; then the weights that the last token gives to all, head after head of block after block.
pub fn write_on(numbers: &[Float]) -> Vec<Float> {
    let [temperature, top_p, ticket] = std::array::from_fn(|i| numbers[i]);
    let words = numbers[3..].iter().map(|word| *word as usize);
    let text: Vec<usize> = [world::BEGIN].into_iter().chain(words).collect();
    let mut world = World::default();
    text.iter().for_each(|word| world.read(*word));
    let mut truth = vec![0.0; WORDS.len()];
    world.next().into_iter().for_each(|(word, p)| truth[word] = p as Float);
    MODEL.with_borrow(|model| {
        let model = model.as_ref().expect("a writer");
        let tape = Tape::no_grad();
        let (x, weights) = model.forward(&tape, &Ragged::new(&[&text]));
        let logits = model.logits(x.columns(text.len() - 1, 1)).value();
        let sampling = Sampling { temperature, top_p, ..Sampling::PLAIN };
        let mut answer = vec![sampling.draw(logits.as_slice(), ticket) as Float];
        answer.extend(sampling.probabilities(logits.as_slice()));
        answer.extend(truth);
        for block in &weights {
            let heads = (0..block.heads()).map(|head| block.of(0, head));
            heads.for_each(|alpha| answer.extend(alpha.column(text.len() - 1).iter()));
        }
        answer
    })
}
