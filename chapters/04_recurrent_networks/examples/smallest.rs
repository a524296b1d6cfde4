//! The smallest network that writes: brackets, of which every one that opens is closed.
//!
//!     cargo run --release -p recurrent_networks --example smallest_writer

use rand::RngExt;
use recurrent_networks::{Gru, LanguageModel, Steps};
use shared::{Adam, Float, Module, Optimizer, Rng, Tape};

// A word is its index in this list; the first two begin and end a text.
const WORDS: [&str; 6] = ["<", ".", "(", ")", "[", "]"];
const BEGIN: usize = 0;
const END: usize = 1;
const PAIRS: [[usize; 2]; 2] = [[2, 3], [4, 5]];

// Data: brackets of two kinds, at most four inside each other. Each closes the last that is open, and a
// text ends with the bracket that closes its first.
fn text(rng: &mut Rng) -> Vec<usize> {
    let (mut text, mut open) = (Vec::new(), Vec::new());
    while text.is_empty() || !open.is_empty() {
        if open.is_empty() || open.len() < 4 && rng.random_bool(0.45) {
            let [opens, closes] = PAIRS[rng.random_range(0..2)];
            text.push(opens);
            open.push(closes);
        } else {
            text.extend(open.pop());
        }
    }
    text
}

fn is_closed(text: &[usize]) -> bool {
    let mut open = Vec::new();
    for word in text {
        match PAIRS.iter().find(|pair| pair.contains(word)) {
            Some([opens, closes]) if word == opens => open.push(*closes),
            _ if open.pop() == Some(*word) => {}
            _ => return false,
        }
    }
    open.is_empty()
}

fn spelt(text: &[usize]) -> String {
    text.iter().map(|word| WORDS[*word]).collect()
}

fn main() {
    let rng = &mut shared::rng(0);

    // Model: a vector for every word, a GRU that reads them, a layer that predicts the next one.
    let (vector, state, layers) = (8, 32, 1);
    let mut model: LanguageModel<Gru> = LanguageModel::new(WORDS.len(), vector, state, layers, rng);
    println!("{} parameters", model.parameter_count());

    // ANCHOR: loop
    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.01);
    for step in 0..=1000 {
        if step % 200 == 0 {
            let mut write = || spelt(&model.write([BEGIN, END], 30, 1.0, rng)); // at most 30 words
            println!("step {step:4} writes {}", [write(), write(), write(), write()].join(" | "));
        }
        let mut texts: Vec<Vec<usize>> = (0..32).map(|_| text(rng)).collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len())); // longest first
        let lengths: Vec<usize> = texts.iter().map(|text| text.len() + 1).collect();
        // The first words of all texts, then the second words of those that have one, and so on.
        let (mut words, mut next) = (Vec::new(), Vec::new());
        for t in 0..lengths[0] {
            for text in texts.iter().filter(|text| t <= text.len()) {
                words.push(if t == 0 { BEGIN } else { text[t - 1] });
                next.push(*text.get(t).unwrap_or(&END));
            }
        }
        let tape = Tape::new();
        let loss = model.loss(&tape, &words, &next, &Steps::new(&lengths));
        let mean = loss * (1.0 / words.len() as Float);
        adam.learning_rate = 0.01 * (1.0 - step as Float / 1001.0); // ever smaller steps
        adam.step(&mut model, &mean.backward().into());
    }
    // ANCHOR_END: loop

    // Result: what it writes now.
    let written: Vec<Vec<usize>> =
        (0..200).map(|_| model.write([BEGIN, END], 60, 1.0, rng)).collect();
    let closed = written.iter().filter(|text| is_closed(text)).count();
    println!("{closed} of 200 texts with every bracket closed");
    assert!(closed >= 180);
}
