//! The smallest model that writes: two blocks learn the texts of a small world, and go on with one.
//!
//!     cargo run --release -p language_model --example smallest_gpt

use language_model::world::{self, BEGIN, WORDS, World};
use language_model::{Config, Gpt, Sampling};
use shared::{Adam, Float, Module, Optimizer, Tape};

fn main() {
    let rng = &mut shared::rng(0);
    // ANCHOR: training
    // Model: words as vectors, two blocks with a causal mask, and the words' vectors once more for the output.
    let config = Config { width: 64, feed_forward: 256, ..Config::today(WORDS.len()) };
    let mut model = Gpt::new(&config, rng);
    println!("{} parameters", model.parameter_count());

    // Training: forward, loss, backward, step. Every word of every text is to be predicted from those before it.
    let mut adam = Adam::new(0.004);
    for step in 1..=STEPS {
        let texts: Vec<Vec<usize>> = (0..16).map(|_| world::text(LENGTH, rng)).collect();
        let texts: Vec<&[usize]> = texts.iter().map(Vec::as_slice).collect();
        let tape = Tape::new(); // records every operation, for the way back
        let loss = model.loss(&tape, &texts) * (1.0 / (16 * LENGTH) as Float);
        let nats = loss.scalar();
        adam.set_learning_rate(0.004 * (1.0 - step as Float / STEPS as Float));
        adam.step(&mut model, &loss.backward().into());
        if step % 100 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }
    // ANCHOR_END: training

    // Result: fresh texts cost it little more than they cost the world that knows all probabilities …
    let fresh: Vec<Vec<usize>> = (0..50).map(|_| world::text(LENGTH, rng)).collect();
    let slices: Vec<&[usize]> = fresh.iter().map(Vec::as_slice).collect();
    let words = (fresh.len() * LENGTH) as f64;
    let loss = f64::from(model.loss(&Tape::no_grad(), &slices).scalar()) / words;
    let floor = fresh.iter().flat_map(|text| world::surprisals(text)).sum::<f64>() / words;
    println!("fresh texts: {loss:.3} nats a word, where the world itself has {floor:.3}");
    assert!(loss < floor + 0.1);

    // … and it writes.
    let written = model.write(&[BEGIN], 60, Sampling::PLAIN, rng);
    let words: Vec<&str> = written.iter().map(|word| WORDS[*word]).collect();
    println!("{}", words.join(" ").replace(" . ", " .\n"));
    let mut reader = World::default();
    let possible = written.iter().filter(|word| {
        let may = reader.next().iter().any(|(next, _)| next == *word);
        reader.read(**word);
        may
    });
    println!("{} of its 60 words can come where they stand", possible.count());
}

const STEPS: usize = 600;
const LENGTH: usize = 96;
