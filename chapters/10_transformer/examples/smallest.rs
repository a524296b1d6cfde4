//! The smallest Transformer that learns something: to write a list of letters backwards.
//!
//!     cargo run --release -p transformer --example smallest_transformer

use rand::RngExt;
use seq2seq::{BEGIN, Batch, END, Translator, decoding};
use shared::{Adam, Float, Matrix, Module, Optimizer, Rng, Tape};
use transformer::{BlockSizes, Config, Encoding, Norm, Tied, Transformer};

const FIRST: usize = END + 1; // letters are 3 to 12; before them stand unknown, begin and end
const LETTERS: usize = 10;

// Data: a list of 3 to 8 letters, and the same from its end. Both are closed by the end word.
fn pair(rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let list: Vec<usize> =
        (0..rng.random_range(3..=8)).map(|_| FIRST + rng.random_range(0..LETTERS)).collect();
    let turned = list.iter().rev().copied();
    (list.iter().copied().chain([END]).collect(), turned.chain([END]).collect())
}

fn pairs(count: usize, rng: &mut Rng) -> Vec<(Vec<usize>, Vec<usize>)> {
    (0..count).map(|_| pair(rng)).collect()
}

fn main() {
    let rng = &mut shared::rng(0);

    // Model: one block that reads, one that writes.
    let mut model = Transformer::new(
        &Config {
            source_words: FIRST + LETTERS,
            target_words: FIRST + LETTERS,
            encoder_blocks: 1,
            decoder_blocks: 1,
            block: BlockSizes { d_model: 32, d_ff: 64, heads: 1, dropout: 0.0, norm: Norm::Pre },
            tied: Tied::Everything, // one table of vectors: read, written, and of the output
            smoothing: 0.0,         // none
            encoding: Encoding::PAPER,
            longest: 16, // columns of the table of positions
        },
        rng,
    );
    println!("{} parameters", model.parameter_count());

    // ANCHOR: loop
    // Training: the decoder is given the true letters before, and predicts the next one.
    let mut adam = Adam::new(0.003);
    for step in 1..=1000 {
        let lists = pairs(64, rng);
        let slices: Vec<_> = lists.iter().map(|(x, y)| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&slices, BEGIN);
        let tape = Tape::new(); // records every operation, for the way back
        let sum = model.loss(&tape, &batch); // forward, and −ln p of every true word
        let loss = sum * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar(); // read now: the way back empties the tape
        adam.learning_rate = 0.003 * (1.0 - (step - 1) as Float / 1000.0); // ever smaller steps
        let gradients = loss.backward(); // of every parameter
        adam.step(&mut model, &gradients.into());
        if step % 200 == 0 {
            println!("step {step}: {nats:.3} nats a letter");
        }
    }
    // ANCHOR_END: loop

    // Result: lists drawn afresh, and where it looked while it wrote the first of them.
    let fresh = pairs(200, rng);
    let mut right = 0;
    for (x, y) in &fresh {
        right += usize::from(decoding::greedy(&model, x).words[..] == y[..y.len() - 1]);
    }
    println!("{right} of 200 lists written backwards");
    assert!(right >= 195);
    let (source, _) = &fresh[0];
    let written = decoding::greedy(&model, source);
    draw(source, &written.words, &written.alignment);
}

/// A column for every letter that was written, a row for every letter that was read.
fn draw(read: &[usize], written: &[usize], alignment: &Matrix) {
    let letter = |word: usize| match word.checked_sub(FIRST) {
        Some(number) => char::from(b'a' + number as u8),
        None => '.',
    };
    println!("\n   {}", written.iter().map(|w| format!(" {}", letter(*w))).collect::<String>());
    for (word, weights) in read.iter().zip(alignment.row_iter()) {
        let shades = weights.map(|w| ["  ", "░░", "▒▒", "▓▓", "██"][(w * 4.0).round() as usize]);
        let row: String = shades.iter().copied().collect();
        println!("  {} {}", letter(*word), row.trim_end());
    }
}
