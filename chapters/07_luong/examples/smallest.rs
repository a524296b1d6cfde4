//! The smallest translator that looks after its step: dates, as people say them and as files want them.
//!
//!     cargo run --release -p luong --example smallest_luong

use luong::{Config, Luong, Scoring, windows::Reach};
use rand::RngExt;
use seq2seq::{BEGIN, Batch, END, Sizes, Translator, decoding};
use shared::{Adam, Float, Matrix, Module, Optimizer, Rng, Tape, rng};

// A word is its place in this list; the first three stand for no word.
#[rustfmt::skip]
const WORDS: [&str; 26] = ["?", "<", ".", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-", "January",
    "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DIGIT: usize = 3;
const DASH: usize = 13;
const MONTH: usize = 14;

// Data: "May 9 1987 ." is "1987-05-09 ." The year comes first, and the month is a number.
fn pair(rng: &mut Rng) -> [Vec<usize>; 2] {
    let (year, month) = (rng.random_range(1000..3000), rng.random_range(1..=12));
    let day = rng.random_range(1..=28);
    let digits =
        |number: usize| number.to_string().bytes().map(|b| DIGIT + usize::from(b - b'0')).collect();
    let two = |number: usize| vec![DIGIT + number / 10, DIGIT + number % 10];
    let (day_said, year): (Vec<usize>, Vec<usize>) = (digits(day), digits(year));
    [
        [&[MONTH + month - 1], &day_said[..], &year, &[END]].concat(),
        [&year[..], &[DASH], &two(month), &[DASH], &two(day), &[END]].concat(),
    ]
}

fn main() {
    let rng = &mut rng(0);

    // Model: a GRU that reads forwards, one that writes; the score between them is a product.
    let words = WORDS.len();
    let (source_words, target_words) = (words, words);
    let sizes =
        Sizes { source_words, target_words, embedding: 16, hidden: 32, layers: 1, dropout: 0.0 };
    let config = Config {
        sizes,
        reading: bahdanau::Reading::BothDirections,
        projected: true,
        scoring: Scoring::General,
        reach: Reach::Global,
        width: 1,
        feeding: true,
        positions: 16,
    };
    let mut model = Luong::new(&config, rng);
    println!("{} parameters", model.parameter_count());

    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.005);
    for step in 1..=500 {
        let pairs: Vec<[Vec<usize>; 2]> = (0..32).map(|_| pair(rng)).collect();
        let pairs: Vec<(&[usize], &[usize])> = pairs.iter().map(|[x, y]| (&**x, &**y)).collect();
        let batch = Batch::new(&pairs, BEGIN);
        let tape = Tape::new();
        let loss = model.loss(&tape, &batch) * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar();
        adam.step(&mut model, &loss.backward().into());
        if step % 100 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }

    // Result: new dates, and where it looked while it wrote the first of them.
    let fresh: Vec<[Vec<usize>; 2]> = (0..200).map(|_| pair(rng)).collect();
    let right =
        fresh.iter().filter(|[x, y]| decoding::greedy(&model, x).words[..] == y[..y.len() - 1]);
    println!("{} of 200 new dates right", right.count());
    let [source, _] = &fresh[0];
    let written = decoding::greedy(&model, source);
    draw(source, &written.words, &written.alignment);
}

/// A row for every word that was written, a column for every word that was read.
fn draw(read: &[usize], written: &[usize], alignment: &Matrix) {
    let shade = |w: Float| ["  ", "░░", "▒▒", "▓▓", "██"][(w * 4.0).round() as usize];
    let names: String = read.iter().map(|word| format!(" {:>3.3}", WORDS[*word])).collect();
    println!("\n   {names}");
    for (word, weights) in written.iter().zip(alignment.column_iter()) {
        let row: String = weights.iter().map(|w| format!("  {}", shade(*w))).collect();
        println!("  {}{row}", WORDS[*word]);
    }
}
