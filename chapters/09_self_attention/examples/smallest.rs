//! The smallest self-attention that learns something: what two words of two meanings mean here.
//!
//!     cargo run --release -p self_attention --example smallest_self_attention

use rand::RngExt;
use rand::seq::SliceRandom;
use scoring_functions::weights;
use self_attention::SelfAttention;
use shared::{Adam, Embedding, Float, Linear, Module, Optimizer, Rng, Tape, Var, Visitor};

// A word is its index in this list.
#[rustfmt::skip]
const WORDS: [&str; 16] = ["bank", "bat", "the", "old", "river", "shore", "boat", "money",
    "loan", "credit", "wing", "cave", "night", "ball", "game", "team"];
const MEANINGS: [&str; 4] = ["of a river", "for money", "that flies", "for a game"];

// Data: "bank", "bat", a word that explains each, and two that explain nothing, in any order.
fn text(rng: &mut Rng) -> (Vec<usize>, [usize; 2]) {
    let meanings = [rng.random_range(0..2), 2 + rng.random_range(0..2)];
    let hints = meanings.map(|meaning| 4 + 3 * meaning + rng.random_range(0..3));
    let mut words = [&[0, 1, 2, 3], &hints[..]].concat();
    words.shuffle(rng);
    (words, meanings)
}

fn asked(words: &[usize]) -> [usize; 2] {
    [0, 1].map(|asked| words.iter().position(|word| *word == asked).unwrap()) // "bank" and "bat"
}

/// A vector for every word, one head of self-attention, a layer that predicts a word's meaning.
struct Model {
    words: Embedding,
    attention: SelfAttention,
    meaning: Linear,
}

impl Model {
    /// The logits (4, 2) of the meanings of "bank" and of "bat".
    fn forward<'t>(&self, tape: &'t Tape, words: &[usize]) -> Var<'t> {
        let y = self.attention.forward(self.words.forward(tape, words)); // (8, n)
        self.meaning.forward(y.select_columns(&asked(words)))
    }
}

impl Module for Model {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("attention", &mut self.attention);
        visitor.module("meaning", &mut self.meaning);
    }
}

fn main() {
    let rng = &mut shared::rng(3);
    let (words, attention) = (Embedding::new(WORDS.len(), 8, rng), SelfAttention::new(8, 8, rng));
    let mut model = Model { words, attention, meaning: Linear::new(8, MEANINGS.len(), rng) };
    println!("{} parameters", model.parameter_count());
    // ANCHOR: training
    let mut adam = Adam::new(0.01);
    for step in 1..=1000 {
        let (tape, (words, meanings)) = (Tape::new(), text(rng));
        let loss = shared::cross_entropy(model.forward(&tape, &words), &meanings) * 0.5;
        if step % 200 == 0 {
            println!("step {step}: {:.3} nats a word", loss.scalar());
        }
        adam.step(&mut model, &loss.backward().into());
    }
    // ANCHOR_END: training
    // Result: texts drawn afresh, and where the two words look in two of them.
    let predicted = |words: &[usize]| {
        let logits = model.forward(&Tape::no_grad(), words).value();
        [0, 1].map(|i| logits.column(i).imax())
    };
    let fresh: Vec<_> = (0..200).map(|_| text(rng)).collect();
    let right = fresh.iter().filter(|(words, meanings)| predicted(words) == *meanings).count();
    println!("{right} of 200 texts understood");
    assert!(right >= 195);
    for (words, _) in &fresh[1..3] {
        let x = model.words.weight.value().select_columns(words);
        let [q, k] = [&model.attention.w_q, &model.attention.w_k].map(|w| w.weight.value() * &x);
        let alpha = weights(&q, &k); // column i: of the query i
        let shade = |w: Float| ["  ", "░░", "▒▒", "▓▓", "██"][(w * 4.0).round() as usize];
        println!("\n            bank     bat");
        for (j, word) in words.iter().enumerate() {
            let row = asked(words).map(|i| format!("      {}", shade(alpha[(j, i)]))).concat();
            println!("{:>8}{}", WORDS[*word], row.trim_end());
        }
        println!("{:8}{}", "", predicted(words).map(|meaning| MEANINGS[meaning]).join("; "));
    }
}
