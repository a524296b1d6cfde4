//! Chapter 15's model: a reader builds a scene, and it writes what it sees and where it looked.

use crate::packed::unpack;
use captioning::world::{Colour, Pairs, Scene, Shape, Thing, WORDS};
use captioning::{Captioner, Config, L, word_of};
use seq2seq::decoding;
use shared::{Float, rng};
use std::cell::RefCell;

thread_local! {
    static MODEL: RefCell<Option<Captioner>> = const { RefCell::new(None) };
}

/// Numbers of words begin behind those that are none.
const FIRST: usize = 3;

/// Channels after each of three convolutions, entries of a word's vector and of a state, hidden units of the score,
/// then the packed parameters: makes the model → the words, letter by letter, a line each.
pub fn captioner(numbers: &[Float]) -> Vec<Float> {
    let (sizes, parameters) = numbers.split_at(6);
    let [a, b, c, embedding, hidden, score] = std::array::from_fn(|i| sizes[i] as usize);
    let config = Config {
        channels: [a, b, c],
        embedding,
        hidden,
        score,
        ..Config::new(FIRST + WORDS.len())
    };
    let mut model = Captioner::new(&config, &mut rng(0));
    unpack(&mut model, parameters);
    MODEL.set(Some(model));
    WORDS.join("\n").bytes().map(Float::from).collect()
}

/// A number → the things of a random scene: of each the numbers of its shape and its colour, column, row, width.
pub fn scene(numbers: &[Float]) -> Vec<Float> {
    let scene = Scene::new(2..=3, Pairs::Known, &mut rng(numbers[0] as u64));
    let numbers = scene.things.iter().flat_map(|thing| {
        [thing.shape as usize, thing.colour as usize, thing.x, thing.y, thing.width]
    });
    numbers.map(|number| number as Float).collect()
}

/// Things as [`scene`] has them → 1,024 pixels, as [`word_of`] has them; 1 if it is clear what is to be said, or 0; then
/// the right caption and the model's, each after the number of its words. Then word by word of the latter the weights
/// of 64 places, and the share of them on each thing.
pub fn see(numbers: &[Float]) -> Vec<Float> {
    let (things, _) = numbers.as_chunks();
    let things = things.iter().map(|numbers: &[Float; 5]| {
        let [shape, colour, x, y, width] = numbers.map(|number| number as usize);
        Thing { shape: Shape::ALL[shape], colour: Colour::ALL[colour], x, y, width }
    });
    let scene = Scene::of(things.collect(), &mut rng(0));
    let picture: Vec<usize> = scene.picture.iter().map(|pixel| word_of(*pixel)).collect();
    let right = scene.caption().words;
    let numbers = right.iter().map(|word| WORDS.iter().position(|other| other == word));
    let said = MODEL.with_borrow(|model| {
        decoding::greedy(model.as_ref().expect("`captioner` comes first"), &picture)
    });
    let mut answer: Vec<Float> = picture.iter().map(|pixel| *pixel as Float).collect();
    answer.extend([Float::from(u8::from(scene.is_clear())), right.len() as Float]);
    answer.extend(numbers.map(|number| number.expect("a known word") as Float));
    answer.push(said.words.len() as Float);
    answer.extend(said.words.iter().map(|word| (word - FIRST) as Float));
    let places = scene.things_at_places();
    for weights in said.alignment.as_slice().chunks_exact(L).take(said.words.len()) {
        answer.extend(weights);
        answer.extend((0..scene.things.len()).map(|k| -> Float {
            let own = places.iter().zip(weights).filter(|(place, _)| **place == Some(k));
            own.map(|(_, weight)| weight).sum()
        }));
    }
    answer
}
