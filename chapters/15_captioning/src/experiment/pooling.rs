//! What colour has the ring? One query that is learnt against the mean of all places.

use super::data::{picture, scenes};
use crate::pooling::Classifier;
use rand::seq::SliceRandom;
use serde::Serialize;
use shared::{Adam, Float, Optimizer, Rng, Tape, rng};
use workbench::error::Result;
use workbench::stream;
use workbench::study::{Comparison, Row, StudyArgs};
use worlds::scenes::{Colour, Pairs, Scene, Shape};

#[derive(Clone, Debug, Serialize)]
struct Pooling {
    query: bool,
    steps: usize,
}

const CHANNELS: [usize; 3] = [16, 32, 64];
const BATCH: usize = 32;
const RATE: Float = 0.003;

/// Scenes with one ring; its colour is the class.
fn asked(count: usize, things: usize, rng: &mut Rng) -> (Vec<Vec<usize>>, Vec<usize>, Vec<Scene>) {
    let ring = |scene: &Scene| {
        let mut rings = scene.things.iter().filter(|thing| thing.shape == Shape::Ring);
        rings.next().map(|ring| ring.colour).filter(|_| rings.next().is_none())
    };
    let mut found = Vec::new();
    while found.len() < count {
        let drawn = scenes(count, things..=things, Pairs::Known, rng);
        found.extend(drawn.into_iter().filter_map(|scene| Some((ring(&scene)?, scene))));
    }
    found.truncate(count);
    found.shuffle(rng);
    let class =
        |colour: &Colour| Colour::ALL.iter().position(|one| one == colour).expect("a colour");
    let (colours, scenes): (Vec<Colour>, Vec<Scene>) = found.into_iter().unzip();
    (scenes.iter().map(picture).collect(), colours.iter().map(class).collect(), scenes)
}

fn slices(pictures: &[Vec<usize>]) -> Vec<&[usize]> {
    pictures.iter().map(Vec::as_slice).collect()
}

/// Accuracy on scenes of so many things, and the share of the weight on the ring.
fn judged(model: &Classifier, things: usize) -> [f64; 2] {
    let (pictures, classes, scenes) = asked(500, things, &mut rng(stream(0, 20 + things as u64)));
    let tape = Tape::without_gradients();
    let (logits, weights) = model.forward(&tape, &slices(&pictures));
    let (logits, weights) = (logits.value(), weights.value());
    let right = logits
        .column_iter()
        .zip(&classes)
        .filter(|(column, class)| column.imax() == **class)
        .count();
    let on_ring = |(scene, weights): (&Scene, &[Float])| -> f64 {
        let ring = scene.things.iter().position(|thing| thing.shape == Shape::Ring);
        let own =
            scene.things_at_places().into_iter().zip(weights).filter(|(thing, _)| *thing == ring);
        own.map(|(_, weight)| f64::from(*weight)).sum()
    };
    let share: f64 =
        scenes.iter().zip(weights.as_slice().chunks_exact(crate::L)).map(on_ring).sum();
    [right as f64, share].map(|sum| sum / classes.len() as f64)
}

fn judge(config: &Pooling, seed: u64) -> [(&'static str, f64); 4] {
    let rng = &mut rng(stream(seed, 1));
    let mut model = Classifier::new(CHANNELS, config.query, Colour::ALL.len(), rng);
    let mut adam = Adam::new(RATE);
    for step in 0..config.steps {
        adam.set_learning_rate(RATE * (1.0 - step as Float / config.steps as Float));
        let things = [2, 3][step % 2];
        let (pictures, classes, _) = asked(BATCH, things, rng);
        let tape = Tape::new();
        let loss = model.loss(&tape, &slices(&pictures), &classes) * (1.0 / BATCH as Float);
        adam.step(&mut model, &loss.backward().into());
    }
    let ([two, _], [three, on_ring], [four, _]) =
        (judged(&model, 2), judged(&model, 3), judged(&model, 4));
    [("two", two), ("three", three), ("four", four), ("on_ring", on_ring)]
}

pub fn pool(arguments: &StudyArgs) -> Result<()> {
    let row = |name, query| Row::new(name, Pooling { query, steps: 600 });
    let comparison = Comparison {
        program: "captioning_pooling",
        about: "the colour of the ring",
        rows: vec![row("query", true), row("average", false)],
        claims: &[
            (
                "a_four",
                "with four things, one query is right more often than the mean of all places",
                |found| found.less(("average", "four"), ("query", "four")),
            ),
            ("b_looks", "the query has half of its weight on the ring, with every seed", |found| {
                found.at_least("query", "on_ring", 0.5)
            }),
        ],
        figures: &[],
    };
    comparison.run(arguments, |config, seed| Ok(judge(config, seed)))
}
