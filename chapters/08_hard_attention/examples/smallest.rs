//! The smallest model that learns to look at one place: only the label that was turned over is read.
//!
//!     cargo run --release -p hard_attention --example smallest_look

use hard_attention::retrieval::{Model, PLACES, QUERIES, World};
use hard_attention::{Baseline, log_probability, look, reinforce};
use rand::RngExt;
use shared::{Adam, Float, Module, Optimizer, Rng, Tape};

fn main() {
    let rng = &mut shared::rng(0);

    // Data: 64 places, each with a key and a digit; 16 queries, each a key turned by a rotation that
    // nobody gives. Keys, digits and queries are drawn anew each time; half of the queries ask for
    // place 0. Which digit lies where the query points?
    let world = World::new(rng);

    // Model: a matrix between query and key, a preference for each place, a layer that reads a digit.
    let mut model = Model::new(rng);
    println!("{} parameters, {PLACES} places", model.parameter_count());

    // ANCHOR: learn
    // Training: look, say, loss, backward, step.
    let (mut adam, mut baseline) = (Adam::new(0.01), Baseline::default());
    for step in 0..=2000 {
        if step % 250 == 0 {
            let [found, read] = tried(&model, &world, rng);
            println!(
                "step {step:4}: looks where the answer lies {found:3.0} %, says it {read:3.0} %"
            );
            assert!(step < 2000 || found >= 90.0);
        }
        let episode = world.episode(rng);
        let tape = Tape::new();
        let scores = model.scores(&tape, &episode); // (m, n)
        let values = tape.constant(episode.values.clone());
        let seen = look(scores, values, &uniforms(rng)); // one place a query
        let digits = model.reader.forward(seen.contexts); // (10, n)
        let losses = -log_probability(digits, &episode.answers); // (1, n)
        let loss = reinforce(losses, seen.log_probability, baseline.value()); // backward, it teaches both
        let mean = loss * (1.0 / QUERIES as Float);
        baseline.update(mean.scalar());
        adam.step(&mut model, &mean.backward().into());
    }
    // ANCHOR_END: learn
}

/// A random number a query: it decides where that looks.
fn uniforms(rng: &mut Rng) -> Vec<Float> {
    (0..QUERIES).map(|_| rng.random()).collect()
}

/// In percent: how often a look goes to the place that was asked for, and how often the digit is right.
fn tried(model: &Model, world: &World, rng: &mut Rng) -> [Float; 2] {
    let (mut found, mut read) = (0, 0);
    for _ in 0..50 {
        let episode = world.episode(rng);
        let tape = Tape::no_grad();
        let values = tape.constant(episode.values.clone());
        let seen = look(model.scores(&tape, &episode), values, &uniforms(rng));
        let digits = model.reader.forward(seen.contexts).value();
        for (i, digits) in digits.column_iter().enumerate() {
            found += usize::from(seen.places[i] == episode.places[i]);
            read += usize::from(digits.imax() == episode.answers[i]);
        }
    }
    [found, read].map(|count| 100.0 * count as Float / (50 * QUERIES) as Float)
}
