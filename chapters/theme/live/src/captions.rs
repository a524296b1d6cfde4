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
    let of = |thing: &Thing| {
        [thing.shape as usize, thing.colour as usize, thing.x, thing.y, thing.width]
    };
    scene.things.iter().flat_map(of).map(|number| number as Float).collect()
}

/// Things as [`scene`] has them → 1,024 pixels, as [`word_of`] has them; 1 if it is clear what is to be said, or 0; then
/// the right caption and the model's, each after the number of its words. Then word by word of the latter the weights
/// of 64 places, and the share of them on each thing.
pub fn see(numbers: &[Float]) -> Vec<Float> {
    let (things, _) = numbers.as_chunks();
    let thing = |numbers: &[Float; 5]| {
        let [shape, colour, x, y, width] = numbers.map(|number| number as usize);
        Thing { shape: Shape::ALL[shape], colour: Colour::ALL[colour], x, y, width }
    };
    let scene = Scene::of(things.iter().map(thing).collect(), &mut rng(0));
    let picture: Vec<usize> = scene.picture.iter().map(|pixel| word_of(*pixel)).collect();
    let right = scene.caption().words;
    let number = |word: &&str| WORDS.iter().position(|other| other == word).expect("a known word");
    let said = MODEL.with_borrow(|model| {
        decoding::greedy(model.as_ref().expect("`captioner` comes first"), &picture)
    });
    let mut answer: Vec<Float> = picture.iter().map(|pixel| *pixel as Float).collect();
    answer.extend([Float::from(u8::from(scene.is_clear())), right.len() as Float]);
    answer.extend(right.iter().map(|word| number(word) as Float));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Any model writes words, looks at places, and leaves the right caption as it is; colours and shapes stand among
    /// the words in their own order, as the figure takes them.
    #[test]
    fn a_scene_is_painted_and_told() {
        assert_eq!(WORDS[3..9], Colour::ALL.map(Colour::word));
        assert_eq!(WORDS[9..14], Shape::ALL.map(Shape::word));
        let mut model = Captioner::new(&Config::new(FIRST + WORDS.len()), &mut rng(1));
        let bias = model.output.bias.as_mut().expect("a bias").value_mut();
        bias[FIRST + 9] = 9.0; // "square", again and again
        MODEL.set(Some(model));
        let things = scene(&[7.0]);
        let answer = see(&things);
        let n = answer[1025] as usize;
        let words: Vec<&str> = answer[1026..1026 + n].iter().map(|i| WORDS[*i as usize]).collect();
        let drawn = Scene::new(2..=3, Pairs::Known, &mut rng(7));
        assert_eq!((answer[1024], words), (1.0, drawn.caption().words));
        let (said, weights) = answer[1027 + n..].split_at(answer[1026 + n] as usize);
        assert!(!said.is_empty() && said.iter().all(|word| *word == 9.0), "{said:?}");
        let of_word = L + things.len() / 5;
        assert_eq!(weights.len(), said.len() * of_word);
        for weights in weights.chunks(of_word) {
            let (weights, shares) = weights.split_at(L);
            assert!((weights.iter().sum::<Float>() - 1.0).abs() < 1e-5);
            assert!(shares.iter().all(|share| (0.0..1.0).contains(share)), "{shares:?}");
        }
        let covered = see(&[&things[..], &things[..5]].concat());
        assert_eq!(covered[1024], 0.0, "two things that are alike");
    }
}
