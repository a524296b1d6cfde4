//! The smallest encoder and decoder that learn something: to say English numbers in German.
//!
//!     cargo run --release -p seq2seq --example smallest_encoder_decoder

use rand::seq::{IndexedRandom, SliceRandom};
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Sizes, Translator, decoding};
use shared::{Adam, Float, Module, Optimizer, Tape};

// A word is its index in its list; the first three stand for no word.
const ENGLISH: &str = "? < . one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred";
const GERMAN: &str = "? < . ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn \
    fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig \
    neunzig hundert und";

const HUNDRED: usize = 30;
const UND: usize = 31;

// Data: 321 is "three hundred twenty one", and "drei hundert ein und zwanzig". The last two digits
// change places, and a word comes between them.
fn say(number: usize, german: bool) -> Vec<usize> {
    let (hundreds, rest) = (number / 100, number % 100);
    let mut words = Vec::new();
    if hundreds > 0 {
        words.extend([2 + hundreds, HUNDRED]);
    }
    match (rest, rest / 10, rest % 10) {
        (0, ..) => {}
        (1..20, ..) => words.push(2 + rest),
        (_, tens, 0) => words.push(20 + tens),
        (_, tens, ones) if german => words.extend([2 + ones, UND, 20 + tens]),
        (_, tens, ones) => words.extend([20 + tens, 2 + ones]),
    }
    words.push(END);
    words
}

fn main() {
    let rng = &mut shared::rng(0);
    let mut pairs: Vec<[Vec<usize>; 2]> =
        (1..1000).map(|n| [say(n, false), say(n, true)]).collect();
    pairs.shuffle(rng);
    let (fresh, pairs) = pairs.split_at(200); // numbers that training never sees

    // ANCHOR: loop
    // Model: a GRU that reads, a GRU that writes, one vector of 48 numbers between them.
    let [source_words, target_words] = [ENGLISH, GERMAN].map(|words| words.split(' ').count());
    let sizes =
        Sizes { source_words, target_words, embedding: 16, hidden: 48, layers: 1, dropout: 0.0 };
    let mut model = EncoderDecoder::new(&sizes, rng);
    println!("{} parameters", model.parameter_count());

    // Training: forward, loss, backward, step.
    let mut adam = Adam::new(0.005);
    for step in 1..=1000 {
        let some: Vec<(&[usize], &[usize])> =
            pairs.sample(rng, 32).map(|[x, y]| (x.as_slice(), y.as_slice())).collect();
        let batch = Batch::new(&some, BEGIN);
        let tape = Tape::new(); // records every operation, for the way back
        let sum = model.loss(&tape, &batch); // forward, and −ln p of every true word
        let loss = sum * (1.0 / batch.tokens() as Float);
        let nats = loss.scalar(); // read now: the way back empties the tape
        adam.learning_rate = 0.005 * (1.0 - (step - 1) as Float / 1000.0); // ever smaller steps
        let gradients = loss.backward(); // of every parameter
        adam.step(&mut model, &gradients.into());
        if step % 200 == 0 {
            println!("step {step}: {nats:.3} nats a word");
        }
    }

    // ANCHOR_END: loop
    // Result: numbers it has never seen.
    let spelt = |words: &[usize], language: &str| {
        let names: Vec<&str> = language.split(' ').collect();
        words.iter().map(|word| names[*word]).collect::<Vec<_>>().join(" ")
    };
    let written: Vec<Vec<usize>> =
        fresh.iter().map(|[x, _]| decoding::greedy(&model, x).words).collect();
    let right = written.iter().zip(fresh).filter(|(said, [_, y])| said[..] == y[..y.len() - 1]);
    let right = right.count();
    println!("{right} of 200 new numbers right");
    assert!(right >= 180);
    for ([x, _], said) in fresh.iter().zip(&written).take(4) {
        println!("{} → {}", spelt(&x[..x.len() - 1], ENGLISH), spelt(said, GERMAN));
    }
}
