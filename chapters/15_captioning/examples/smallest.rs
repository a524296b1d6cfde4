//! The smallest model that says what is in a picture: two things, a word for each step of a decoder that looks.
//!
//!     cargo run --release -p captioning --example smallest_captions

use captioning::world::{Pairs, Scene, WORDS};
use captioning::{Captioner, Config, word_of};
use seq2seq::{BEGIN, Batch, END, Translator, decoding};
use shared::{Adam, Float, Matrix, Module, Optimizer, Rng, Tape};

// Data: two things on a light ground, 32 × 32 pixels, and "a large red ring above a small blue square". A
// picture is a sentence of 1,024 colours; a word is its index in the list, behind three that are no word.
fn pair(rng: &mut Rng) -> [Vec<usize>; 2] {
    let scene = Scene::new(2..=2, Pairs::Known, rng);
    let words = scene.caption().words.into_iter();
    let numbers = words.map(|word| 3 + WORDS.iter().position(|other| *other == word).unwrap());
    [scene.picture.iter().map(|pixel| word_of(*pixel)).collect(), numbers.chain([END]).collect()]
}

fn main() {
    let rng = &mut shared::rng(0);
    // ANCHOR: training
    // Model: convolutions that read 64 places, an LSTM that writes, and the score between them.
    let mut model = Captioner::new(&Config::new(3 + WORDS.len()), rng);
    println!("{} parameters", model.parameter_count());

    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.003);
    for step in 1..=STEPS {
        let pairs: Vec<[Vec<usize>; 2]> = (0..32).map(|_| pair(rng)).collect();
        let slices: Vec<_> = pairs.iter().map(|[x, y]| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&slices, BEGIN);
        let tape = Tape::new(); // records every operation, for the way back
        let sum = model.loss(&tape, &batch); // forward, and −ln p of every true word
        let loss = sum * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar();
        adam.set_learning_rate(0.003 * (1.0 - step as Float / STEPS as Float));
        adam.step(&mut model, &loss.backward().into());
        if step % 200 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }
    // ANCHOR_END: training

    // Result: new pictures, and where it looked while it captioned the last of them.
    let fresh: Vec<[Vec<usize>; 2]> = (0..200).map(|_| pair(rng)).collect();
    let said = |picture: &[usize]| decoding::greedy(&model, picture);
    let right = |[x, y]: &&[Vec<usize>; 2]| [&said(x).words[..], &[END]].concat() == *y;
    let right = fresh.iter().filter(right).count();
    println!("{right} of 200 new ones captioned word for word");
    assert!(right >= 140);
    let said = said(&fresh[199][0]);
    draw(&said.words, &said.alignment);
}

const STEPS: usize = 1200;

/// Draws the 8 × 8 places for every word: the darker, the larger the weight.
fn draw(words: &[usize], alignment: &Matrix) {
    let shade = |w: Float| ['·', '░', '▒', '▓', '█'][(w * 8.0).round().min(4.0) as usize];
    for row in (0..words.len()).collect::<Vec<_>>().chunks(8) {
        let names: String = row.iter().map(|j| format!("{:<9}", WORDS[words[*j] - 3])).collect();
        println!("\n{}", names.trim_end());
        for y in 0..8 {
            let mut line = String::new();
            for j in row {
                line.extend((0..8).map(|x| shade(alignment[(8 * y + x, *j)])).chain([' ']));
            }
            println!("{}", line.trim_end());
        }
    }
}
