//! Chapter 10's smallest Transformer, trained in the page: it learns to write a list of letters backwards.
//!
//! Data, model and loop are those of the chapter's `examples/smallest.rs`, which a test holds to it.

use rand::RngExt;
use seq2seq::{BEGIN, Batch, END, decoding};
use shared::{Adam, Float, Optimizer, Rng, Tape};
use std::cell::RefCell;
use transformer::{BlockSizes, Config, Encoding, Norm, Tied, Transformer};

const FIRST: usize = END + 1;
const LETTERS: usize = 10;
const STEPS: usize = 1000;

thread_local! {
    static COPYING: RefCell<Copying> = RefCell::new(Copying::new(0));
}

/// A model, and how far its training has come.
pub struct Copying {
    model: Transformer,
    adam: Adam,
    rng: Rng,
    step: usize,
}

impl Copying {
    /// Before the first step.
    pub fn new(seed: u64) -> Copying {
        let mut rng = shared::rng(seed);
        let config = Config {
            source_words: FIRST + LETTERS,
            target_words: FIRST + LETTERS,
            encoder_blocks: 1,
            decoder_blocks: 1,
            block: BlockSizes { d_model: 32, d_ff: 64, heads: 1, dropout: 0.0, norm: Norm::Pre },
            tied: Tied::Everything,
            smoothing: 0.0,
            encoding: Encoding::PAPER,
            longest: 16,
        };
        let model = Transformer::new(&config, &mut rng);
        Copying { model, adam: Adam::new(0.003), rng, step: 0 }
    }

    /// One step, with 64 lists drawn afresh → its loss, in nats a letter.
    pub fn train(&mut self) -> Float {
        let lists: Vec<_> = (0..64).map(|_| pair(&mut self.rng)).collect();
        let slices: Vec<_> = lists.iter().map(|(x, y)| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&slices, BEGIN);
        let tape = Tape::new();
        let loss =
            seq2seq::Translator::loss(&self.model, &tape, &batch) * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar();
        self.adam.learning_rate = 0.003 * (1.0 - self.step as Float / STEPS as Float);
        let gradients = loss.backward();
        self.adam.step(&mut self.model, &gradients.into());
        self.step += 1;
        nats
    }

    /// Where it looks while the same letters backwards, and the end, are dictated to it: for each the weights of
    /// the letters and the end that were read.
    pub fn look(&self, letters: &[usize]) -> Vec<Float> {
        let (source, target) = turned(letters);
        let batch = Batch::new(&[(&source, &target)], BEGIN);
        let tape = Tape::no_grad();
        let (h, _) = self.model.encode(&tape, &batch.source);
        let (_, looked) = self.model.decode(h, &batch.source, &batch.previous);
        looked[0][1].of(0, 0).as_slice().to_vec()
    }

    /// What it writes on its own, letter by letter, and for each letter where it looked.
    pub fn write(&self, letters: &[usize]) -> (Vec<usize>, Vec<Float>) {
        let written = decoding::greedy(&self.model, &turned(letters).0);
        let letters = written.words.iter().map(|word| word - FIRST).collect();
        (letters, written.alignment.as_slice().to_vec())
    }
}

/// The words of a list of letters, and of the same from its end.
fn turned(letters: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let words = letters.iter().map(|letter| FIRST + letter);
    (words.clone().chain([END]).collect(), words.rev().chain([END]).collect())
}

fn pair(rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let letters: Vec<_> =
        (0..rng.random_range(3..=8)).map(|_| rng.random_range(0..LETTERS)).collect();
    turned(&letters)
}

/// A seed → nothing: a model that has learnt nothing.
pub fn copy_start(numbers: &[Float]) -> Vec<Float> {
    COPYING.set(Copying::new(numbers[0] as u64));
    Vec::new()
}

/// How many steps → the loss of each.
pub fn copy_train(numbers: &[Float]) -> Vec<Float> {
    COPYING.with_borrow_mut(|copying| (0..numbers[0] as usize).map(|_| copying.train()).collect())
}

/// Letters, from 0 to 9 → [`Copying::look`].
pub fn copy_look(numbers: &[Float]) -> Vec<Float> {
    COPYING.with_borrow(|copying| copying.look(&whole(numbers)))
}

/// Letters, from 0 to 9 → the letters that are written, then for each of them as many weights as there are
/// letters, and one for the end.
pub fn copy_write(numbers: &[Float]) -> Vec<Float> {
    let (letters, weights) = COPYING.with_borrow(|copying| copying.write(&whole(numbers)));
    letters.into_iter().map(|letter| letter as Float).chain(weights).collect()
}

fn whole(numbers: &[Float]) -> Vec<usize> {
    numbers.iter().map(|number| *number as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::Copying;

    /// The recorded losses of the chapter's example: to the last digit by its processor's sums, which training
    /// multiplies on another.
    #[test]
    fn it_trains_as_the_chapters_example_does() {
        let mut copying = Copying::new(0);
        let losses: Vec<_> = (0..200).map(|_| copying.train()).collect();
        let recorded = include_str!("../../../10_transformer/examples/smallest.txt");
        let line = recorded.lines().find_map(|line| line.strip_prefix("step 200: "));
        let nats: f32 = line.unwrap().trim_end_matches(" nats a letter").parse().unwrap();
        let (near, ours) = (0.1 * nats, losses[199]);
        assert!((ours - nats).abs() < near, "{ours} for {nats}");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            assert_eq!(format!("{ours:.3}"), format!("{nats:.3}"));
        }
    }
}
