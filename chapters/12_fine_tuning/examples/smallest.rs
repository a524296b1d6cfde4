//! The smallest fine-tuning that is worth it: a few labelled sentences, with and without having read before.
//!
//!     cargo run --release -p fine_tuning --example smallest_fine_tuning

use bert::{Bert, Config, Pretraining, Special, Tokens};
use fine_tuning::{Asks, Classifier, Questions};
use rand::{RngExt, seq::IndexedRandom};
use shared::{Adam, Float, Optimizer, Rng, Tape, cross_entropy};

// A word is its index in this list; the first five stand for no word.
#[rustfmt::skip]
const WORDS: [&str; 28] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "I", "my", "she",
    "her", "he", "his", "we", "our", "they", "their", "lost", "found", "sold", "old", "new",
    "red", "key", "coat", "boat", "and", "sang", "slept", "laughed"];
const AND: usize = 24;
const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

// Data of pre-training and of fine-tuning: "she sold her old boat and slept". Whose it is agrees with who sold it …
fn sentence(rng: &mut Rng) -> Vec<usize> {
    let who = 5 + 2 * rng.random_range(0..5);
    let number = |word: &&str| WORDS.iter().position(|other| other == word).unwrap();
    let mut one_of = |words: &[&'static str]| number(words.choose(rng).unwrap());
    let what = [one_of(&["old", "new", "red"]), one_of(&["key", "coat", "boat"])];
    let did = [one_of(&["lost", "found", "sold"]), one_of(&["sang", "slept", "laughed"])];
    [&[who, did[0], who + 1], &what[rng.random_range(0..2)..], &[AND, did[1]]].concat()
}

// … and the question of fine-tuning: is it one's own? In half of the sentences it is another's.
fn questions(count: usize, rng: &mut Rng) -> Questions {
    let both = (0..count).map(|_| {
        let (mut words, own) = (sentence(rng), rng.random_bool(0.5));
        if !own {
            words[2] = 6 + (words[2] - 6 + 2 * rng.random_range(1..5)) % 10; // my, her, his, our, their
        }
        (Tokens::of(&words, None, &SPECIAL), usize::from(own))
    });
    let (tokens, answers): (Vec<Tokens>, _) = both.unzip();
    Questions::of_sequences(Tokens::side_by_side(&tokens), answers)
}

// ANCHOR: tune
fn main() {
    let rng = &mut shared::rng(0);
    let sizes = Config { width: 32, feed_forward: 64, heads: 2, blocks: 2, ..Config::BASE };
    let config = Config { vocabulary: WORDS.len(), dropout: 0.0, deviation: 0.1, ..sizes };
    let (few, fresh) = (questions(80, rng), questions(500, rng));
    let scratch = Pretraining::new(&config, rng).bert; // random numbers
    for (name, bert) in [("from scratch", scratch), ("pre-trained", pre_trained(&config, rng))] {
        // Model and training: a new layer for two classes; it and the encoder learn from 80 labels.
        let mut model = Classifier::new(bert, &config, Asks::Sequences, 2, rng);
        let mut adam = Adam::new(0.003);
        for _ in 0..100 {
            // all 80 each time
            let tape = Tape::new();
            let loss = model.loss(&tape, &few) * (1.0 / few.answers.len() as Float);
            adam.step(&mut model, &loss.backward().into());
        }
        // Result: sentences without a label so far.
        let logits = model.logits(&Tape::no_grad(), &fresh).value();
        let predicted = logits.column_iter().map(|logits| logits.imax());
        let right =
            predicted.zip(&fresh.answers).filter(|(found, answer)| found == *answer).count();
        println!("{name}, then 80 labelled sentences: {right} of 500 others right");
        assert!(name == "from scratch" || right >= 450);
    }
}
// ANCHOR_END: tune

/// Chapter 11's smallest model: one word of every sentence is masked, and no label is needed.
fn pre_trained(config: &Config, rng: &mut Rng) -> Bert {
    let (mut model, mut adam) = (Pretraining::new(config, rng), Adam::new(0.003));
    for step in 1..=600 {
        let (mut originals, mut parts) = (Vec::new(), Vec::new());
        for _ in 0..32 {
            let mut words = sentence(rng);
            let masked = rng.random_range(0..words.len());
            originals.push(std::mem::replace(&mut words[masked], SPECIAL.mask));
            parts.push(Tokens::of(&words, None, &SPECIAL));
        }
        let (tape, tokens) = (Tape::new(), Tokens::side_by_side(&parts));
        let (h, _) = model.bert.forward(&tape, &tokens);
        let masks: Vec<usize> =
            (0..tokens.len()).filter(|i| tokens.pieces.words[*i] == SPECIAL.mask).collect();
        let loss = cross_entropy(model.masked_logits(h, &masks), &originals) * (1.0 / 32.0);
        adam.learning_rate = 0.003 * (1.0 - (step - 1) as Float / 600.0); // ever smaller steps
        adam.step(&mut model, &loss.backward().into());
    }
    model.bert
}
