//! The smallest translator that steps first and looks then: dates, as people say them and as files want them.
//!
//!     cargo run --release -p luong --example smallest_luong

use luong::{Config, Luong, Scoring, windows::Reach};
use rand::RngExt;
use seq2seq::{BEGIN, Batch, END, Sizes, Translator, decoding};
use shared::{Adam, Float, Matrix, Module, Optimizer, Rng, Tape};

// A word is its index in this list; the first three stand for no word.
#[rustfmt::skip]
const WORDS: [&str; 26] = ["?", "<", ".", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    "-", "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December"];
const DIGIT: usize = 3;
const DASH: usize = 13;
const MONTH: usize = 14;

// Data: "May 9 1987 ." is "1987-05-09 ." The year comes first, the month is a number, and
// every digit is a word.
fn pair(rng: &mut Rng) -> [Vec<usize>; 2] {
    let [year, month, day] = [1000..3000, 1..13, 1..29].map(|range| rng.random_range(range));
    let said = format!("{day}{year}").into_bytes();
    let written = format!("{year}-{month:02}-{day:02}").into_bytes();
    let word = |byte: &u8| if *byte == b'-' { DASH } else { DIGIT + usize::from(byte - b'0') };
    let words = |text: Vec<u8>| text.iter().map(word).chain([END]).collect::<Vec<usize>>();
    [[&[MONTH + month - 1], &words(said)[..]].concat(), words(written)]
}

fn main() {
    let rng = &mut shared::rng(0);

    // Model: a GRU that reads in both directions, one that writes; the score is their dot product.
    let (source_words, target_words) = (WORDS.len(), WORDS.len());
    let sizes =
        Sizes { source_words, target_words, embedding: 16, hidden: 32, layers: 1, dropout: 0.0 };
    let config = Config {
        sizes,
        reading: bahdanau::Reading::BothDirections,
        projected: true,
        scoring: Scoring::Dot,
        reach: Reach::Global,
        width: 1, // of a window, which Global has not
        feeding: true,
        positions: 1, // of another score
    };
    let mut model = Luong::new(&config, rng);
    println!("{} parameters", model.parameter_count());

    // ANCHOR: training
    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.005);
    for step in 1..=500 {
        let pairs: Vec<[Vec<usize>; 2]> = (0..32).map(|_| pair(rng)).collect();
        let slices: Vec<_> = pairs.iter().map(|[x, y]| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&slices, BEGIN);
        let tape = Tape::new(); // records every operation, for the way back
        let sum = model.loss(&tape, &batch); // forward, and −ln p of every true word
        let loss = sum * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar(); // read now: the way back empties the tape
        let gradients = loss.backward(); // of every parameter
        adam.step(&mut model, &gradients.into());
        if step % 100 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }
    // ANCHOR_END: training

    // Result: dates drawn afresh, and where it looked while it wrote the first of them.
    let fresh: Vec<[Vec<usize>; 2]> = (0..200).map(|_| pair(rng)).collect();
    let right =
        fresh.iter().filter(|[x, y]| decoding::greedy(&model, x).words[..] == y[..y.len() - 1]);
    let right = right.count();
    println!("{right} of 200 dates right");
    assert!(right >= 195);
    let [source, _] = &fresh[0];
    let written = decoding::greedy(&model, source);
    draw(source, &written.words, &written.alignment);
}

/// A column for every word that was written, a row for every word that was read.
fn draw(read: &[usize], written: &[usize], alignment: &Matrix) {
    let names: String = written.iter().map(|word| format!("   {}", WORDS[*word])).collect();
    println!("\n    {names}");
    for (word, weights) in read.iter().zip(alignment.row_iter()) {
        let shades = weights.map(|w| ["  ", "░░", "▒▒", "▓▓", "██"][(w * 4.0).round() as usize]);
        let row: String = shades.iter().map(|shade| format!("  {shade}")).collect();
        println!("{:>4.3}{}", WORDS[*word], row.trim_end());
    }
}
