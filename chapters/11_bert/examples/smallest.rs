//! The smallest BERT that learns something: to predict masked words of sentences.
//!
//!     cargo run --release -p bert --example smallest_bert

// ANCHOR: data
use bert::{Config, Pretraining, Special, Tokens};
use rand::{RngExt, seq::IndexedRandom};
use shared::{Adam, Float, Module, Optimizer, Rng, Tape, cross_entropy};

// A word is its index in this list; the first five stand for no word.
#[rustfmt::skip]
const WORDS: [&str; 28] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "I", "my", "she",
    "her", "he", "his", "we", "our", "they", "their", "lost", "found", "sold", "old", "new",
    "red", "key", "coat", "boat", "and", "sang", "slept", "laughed"];
const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

// Data: "she sold her old boat and slept", "they lost their key and sang". Whose it is agrees with who
// sold it; all else is chance.
fn sentence(rng: &mut Rng) -> Vec<usize> {
    let who = 5 + 2 * rng.random_range(0..5);
    let mut one_of = |words: &[&'static str]| number(words.choose(rng).unwrap());
    let what = [one_of(&["old", "new", "red"]), one_of(&["key", "coat", "boat"])];
    let did = [one_of(&["lost", "found", "sold"]), one_of(&["sang", "slept", "laughed"])];
    [&[who, did[0], who + 1], &what[rng.random_range(0..2)..], &[number("and"), did[1]]].concat()
}

fn number(word: &str) -> usize {
    WORDS.iter().position(|other| *other == word).unwrap()
}
// ANCHOR_END: data

fn main() {
    let rng = &mut shared::rng(0);

    // ANCHOR: loop
    // Model: two blocks that read in both directions, and a head that predicts words.
    let sizes = Config { width: 32, feed_forward: 64, heads: 2, blocks: 2, ..Config::BASE };
    let config = Config { vocabulary: WORDS.len(), dropout: 0.0, deviation: 0.1, ..sizes };
    let mut model = Pretraining::new(&config, rng);
    println!("{} parameters", model.parameter_count());

    // Training: mask one word of every sentence; forward, loss, backward, step.
    let mut adam = Adam::new(0.003);
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
        let loss =
            cross_entropy(model.masked_logits(h, &masks(&tokens)), &originals) * (1.0 / 32.0);
        let nats = loss.scalar();
        adam.learning_rate = 0.003 * (1.0 - (step - 1) as Float / 600.0); // ever smaller steps
        adam.step(&mut model, &loss.backward().into());
        if step % 100 == 0 {
            println!("step {step}: {nats:.2} nats a masked word");
        }
    }
    // ANCHOR_END: loop
    // ANCHOR: result
    // Result: what can be known is known, from either side; what cannot is shared out evenly.
    for (text, least) in [
        ("[MASK] sold her old boat and slept", 0.9),
        ("they lost [MASK] key and laughed", 0.9),
        ("he found his [MASK] coat and sang", 0.2),
    ] {
        let words: Vec<usize> = text.split(' ').map(number).collect();
        let (tape, tokens) = (Tape::no_grad(), Tokens::of(&words, None, &SPECIAL));
        let (h, _) = model.bert.forward(&tape, &tokens);
        let p = model.masked_logits(h, &masks(&tokens)).softmax().value();
        assert!(p.max() >= least);
        let mut order: Vec<usize> = (0..WORDS.len()).collect();
        order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
        println!("\n{text}");
        for word in order.into_iter().take(3) {
            let bar = "█".repeat((p[word] * 40.0) as usize);
            println!("{:>8} {:.2} {bar}", WORDS[word], p[word]);
        }
    }
}

fn masks(tokens: &Tokens) -> Vec<usize> {
    let words = tokens.pieces.words.iter().enumerate();
    words.filter(|(_, word)| **word == SPECIAL.mask).map(|(column, _)| column).collect()
}
// ANCHOR_END: result
