//! How much of what is said is right, and where the weights lie.

use super::data::{picture, spoken, words};
use crate::world::{Names, Pairs, Scene};
use crate::{Captioner, L};
use seq2seq::{BEGIN, END, Translator, bleu, decoding};
use shared::{Float, Rng, rng};
use workbench::stream;

/// Scenes that are read at once.
const AT_ONCE: usize = 50;

/// The model's caption of each scene, by greedy search.
pub fn captions(model: &Captioner, scenes: &[Scene]) -> Vec<Vec<String>> {
    let mut captions = Vec::new();
    for scenes in scenes.chunks(AT_ONCE) {
        let pictures: Vec<Vec<usize>> = scenes.iter().map(picture).collect();
        let said =
            decoding::greedy_all(model, &pictures.iter().map(Vec::as_slice).collect::<Vec<_>>());
        captions.extend(said.iter().map(|said| owned(spoken(&said.words))));
    }
    captions
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

/// All true captions of each scene, the grammar's own first.
pub fn references(scenes: &[Scene]) -> Vec<Vec<Vec<String>>> {
    let captions = scenes.iter().map(Scene::captions);
    captions.map(|all| all.into_iter().map(|caption| owned(caption.words)).collect()).collect()
}

/// The share of captions that are right word for word.
pub fn exact(model: &Captioner, scenes: &[Scene]) -> f64 {
    let own: Vec<_> = scenes.iter().map(|scene| owned(scene.caption().words)).collect();
    bleu::exact_match(&captions(model, scenes), &own)
}

/// The weights for every word of every scene's caption, the words before it given: for each scene a list of
/// words, for each word a weight of each place.
pub fn forced(model: &Captioner, scenes: &[Scene]) -> Vec<Vec<Vec<Float>>> {
    let mut weights = Vec::new();
    for scenes in scenes.chunks(AT_ONCE) {
        let pictures: Vec<Vec<usize>> = scenes.iter().map(picture).collect();
        let said: Vec<Vec<usize>> = scenes.iter().map(words).collect();
        let mut state = model.encode(&pictures.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut of_chunk = vec![Vec::new(); scenes.len()];
        let longest = said.iter().map(Vec::len).max().unwrap_or(0);
        for i in 0..longest {
            let before = said.iter().map(|said| match i {
                0 => BEGIN,
                _ => said.get(i - 1).copied().unwrap_or(END), // a caption that is over: not looked at
            });
            let next = model.next(&mut state, &before.collect::<Vec<_>>());
            for (j, weights) in
                next.alignments.into_iter().enumerate().filter(|(j, _)| i < said[*j].len())
            {
                of_chunk[j].push(weights);
            }
        }
        weights.extend(of_chunk);
    }
    weights
}

/// The mean share of the weight on the places of what a word names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointing {
    pub things: f64,
    pub colours: f64,
    pub sizes: f64,
    /// The share of relation words, on either of the two things.
    pub relations: f64,
    /// The share of relation words, on the thing that is named next.
    pub next_thing: f64,
    /// The share that the same weight on all places would give for things.
    pub uniform: f64,
}

/// The pointing of these weights, see [`forced`].
pub fn pointing(scenes: &[Scene], weights: &[Vec<Vec<Float>>]) -> Pointing {
    let mut sums = [(0.0, 0_usize); 6];
    for (scene, weights) in scenes.iter().zip(weights) {
        let places = scene.things_at_places();
        for (names, weights) in scene.caption().names.iter().zip(weights) {
            let on = |thing: usize| -> f64 {
                let own = places.iter().zip(weights).filter(|(place, _)| **place == Some(thing));
                own.map(|(_, weight)| f64::from(*weight)).sum()
            };
            let mut add = |i: usize, share: f64| sums[i] = (sums[i].0 + share, sums[i].1 + 1);
            match *names {
                Names::Nothing => {}
                Names::Thing(k) => {
                    add(0, on(k));
                    let own = places.iter().filter(|place| **place == Some(k)).count();
                    add(5, own as f64 / L as f64);
                }
                Names::Colour(k) => add(1, on(k)),
                Names::Size(k) => add(2, on(k)),
                Names::Relation(a, b) => {
                    add(3, on(a) + on(b));
                    add(4, on(b));
                }
            }
        }
    }
    let [things, colours, sizes, relations, next_thing, uniform] =
        sums.map(|(sum, n)| sum / n.max(1) as f64);
    Pointing { things, colours, sizes, relations, next_thing, uniform }
}

/// Unseen scenes: as in training, with pairs of shape and colour that training lacks, with four things.
pub fn tests(count: usize) -> [Vec<Scene>; 3] {
    let of = |number, things, pairs| {
        let rng: &mut Rng = &mut rng(stream(0, number));
        super::data::scenes(count, things, pairs, rng)
    };
    [of(10, 2..=3, Pairs::Known), of(11, 2..=3, Pairs::New), of(12, 4..=4, Pairs::Known)]
}
