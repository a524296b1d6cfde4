//! The smallest translator with attention that learns something: noun phrases, English to French.
//!
//!     cargo run --release -p bahdanau --example smallest_translator

use bahdanau::{Bahdanau, Config, Reading};
use rand::{RngExt, seq::IndexedRandom};
use seq2seq::{BEGIN, Batch, END, Sizes, Translator, decoding};
use shared::{Adam, Float, Matrix, Module, Optimizer, Rng, Tape};

// A word is its index in this list; the first three stand for no word.
#[rustfmt::skip]
const WORDS: [&str; 28] = ["?", "<", ".", "the", "and", "cat", "dog", "car", "house",
    "green", "black", "grey", "white", "le", "la", "et", "chat", "chien", "voiture",
    "maison", "vert", "noir", "gris", "blanc", "verte", "noire", "grise", "blanche"];
#[rustfmt::skip]
const NOUNS: [[&str; 3]; 4] = [["cat", "le", "chat"], ["dog", "le", "chien"],
    ["car", "la", "voiture"], ["house", "la", "maison"]];
#[rustfmt::skip]
const COLOURS: [[&str; 3]; 4] = [["green", "vert", "verte"], ["black", "noir", "noire"],
    ["grey", "gris", "grise"], ["white", "blanc", "blanche"]];

// Data: "the black cat and the grey house ." is "le chat noir et la maison grise ." An adjective
// changes places with its noun, and article and adjective follow the noun's gender.
fn pair(rng: &mut Rng) -> [Vec<usize>; 2] {
    let phrases = (0..rng.random_range(1..=3)).map(|_| {
        let ([noun, article, nom], colour) =
            (NOUNS.choose(rng).unwrap(), COLOURS.choose(rng).unwrap());
        let couleur = colour[if *article == "le" { 1 } else { 2 }];
        (format!("the {} {noun}", colour[0]), format!("{article} {nom} {couleur}"))
    });
    let (english, french): (Vec<_>, Vec<_>) = phrases.unzip();
    [english.join(" and ") + " .", french.join(" et ") + " ."].map(|text| {
        let words = text.split(' ');
        words.map(|word| WORDS.iter().position(|other| *other == word).unwrap()).collect()
    })
}

fn main() {
    let rng = &mut shared::rng(0);
    // ANCHOR: training
    // Model: a GRU that reads in both directions, one that writes, and the score between them.
    let (source_words, target_words) = (WORDS.len(), WORDS.len());
    let sizes =
        Sizes { source_words, target_words, embedding: 16, hidden: 32, layers: 1, dropout: 0.0 };
    let config = Config { sizes, reading: Reading::BothDirections, score: 32, state_dropout: 0.0 };
    let mut model = Bahdanau::new(&config, rng);
    println!("{} parameters", model.parameter_count());

    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.005);
    for step in 1..=300 {
        let pairs: Vec<[Vec<usize>; 2]> = (0..32).map(|_| pair(rng)).collect();
        let slices: Vec<_> = pairs.iter().map(|[x, y]| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&slices, BEGIN);
        let tape = Tape::new(); // records every operation, for the way back
        let sum = model.loss(&tape, &batch); // forward, and −ln p of every true word
        let loss = sum * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar(); // read now: the way back empties the tape
        let gradients = loss.backward(); // of every parameter
        adam.step(&mut model, &gradients.into());
        if step % 50 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }
    // ANCHOR_END: training

    // Result: new phrases, and where it looked while it wrote the last of them.
    let right =
        |[x, y]: &[Vec<usize>; 2]| [&decoding::greedy(&model, x).words[..], &[END]].concat() == *y;
    let fresh: Vec<[Vec<usize>; 2]> = (0..200).map(|_| pair(rng)).collect();
    let right = fresh.iter().filter(|pair| right(pair)).count();
    println!("{right} of 200 new ones translated word for word");
    assert!(right >= 195);
    let source = &fresh.iter().map(|[x, _]| x).find(|x| x.len() == 8).unwrap()[..];
    let written = decoding::greedy(&model, source);
    draw(source, &written.words, &written.alignment);
}

/// A column for every word that was written, a row for every word that was read.
fn draw(read: &[usize], written: &[usize], alignment: &Matrix) {
    let names: String = written.iter().map(|word| format!("{:>8}", WORDS[*word])).collect();
    println!("\n{:5}{names}", "");
    for (word, weights) in read.iter().zip(alignment.row_iter()) {
        let shades = weights.map(|w| ["  ", "░░", "▒▒", "▓▓", "██"][(w * 4.0).round() as usize]);
        let row: String = shades.iter().map(|shade| format!("      {shade}")).collect();
        println!("{:>5}{}", WORDS[*word], row.trim_end());
    }
}
