//! The smallest network that has to look twice: who has the apple, and where did she go?
//!
//!     cargo run --release -p memory_networks --example smallest_memory

use memory_networks::{Alignment, Answers, MemoryNetwork, Sizes, Stories};
use rand::RngExt;
use shared::{Adam, Float, Module, Optimizer, Ragged, Rng, Tape, cross_entropy};

// A word is its index in this list.
const WORDS: [&str; 12] = [
    "anna", "paul", "nina", "garden", "kitchen", "cellar", "attic", "apple", "cup", "went", "took",
    "where",
];
const WENT: usize = 9;
const TOOK: usize = 10;
const WHERE: usize = 11;

// Data: six lines such as "anna took apple" and "anna went garden", and a question, "where apple".
fn story(rng: &mut Rng) -> (Vec<Vec<usize>>, Vec<usize>, usize) {
    loop {
        let (mut told, mut at, mut holder) = (Vec::new(), [None; 3], [None; 2]);
        while told.len() < 6 {
            let (who, thing) = (rng.random_range(0..3), rng.random_range(0..2));
            if rng.random_bool(0.3) && holder[thing].is_none() {
                holder[thing] = Some(who);
                told.push(vec![who, TOOK, 7 + thing]);
            } else {
                at[who] = Some(rng.random_range(3..7));
                told.push(vec![who, WENT, at[who].unwrap()]);
            }
        }
        let thing = rng.random_range(0..2);
        if let Some(place) = holder[thing].and_then(|who: usize| at[who]) {
            return (told, vec![WHERE, 7 + thing], place);
        }
    }
}

fn stories(count: usize, rng: &mut Rng) -> (Stories, Vec<usize>) {
    let all: Vec<_> = (0..count).map(|_| story(rng)).collect();
    let told: Vec<&[usize]> = all.iter().flat_map(|one| one.0.iter().map(Vec::as_slice)).collect();
    let asked: Vec<&[usize]> = all.iter().map(|one| one.1.as_slice()).collect();
    let stories = Stories {
        sentences: Ragged::new(&told),
        values: None,
        offsets: (0..=count).map(|i| 6 * i).collect(),
        questions: Ragged::new(&asked),
    };
    (stories, all.iter().map(|one| one.2).collect())
}

// ANCHOR: learn
fn main() {
    let rng = &mut shared::rng(0);
    // Model: two hops, a vector of 16 numbers for every sentence.
    let sizes = Sizes { words: WORDS.len(), memory: 6, width: 16, hops: 2 };
    let mut network = MemoryNetwork::new(sizes, rng);
    println!("{} parameters", network.parameter_count());

    // Training: for the first 300 steps the scores are the weights, then a softmax makes them.
    let mut adam = Adam::new(0.01);
    for step in 0..=3000 {
        let start = if step < 300 { Alignment::Linear } else { Alignment::Softmax };
        let (stories, answers) = stories(32, rng);
        let tape = Tape::new();
        let loss = cross_entropy(network.answer(&tape, &stories, start).logits, &answers);
        adam.learning_rate = 0.01 * (1.0 - step as Float / 3001.0);
        adam.step(&mut network, &(loss * (1.0 / 32.0)).backward().into());
    }
    // ANCHOR_END: learn

    // Result: new stories, and where both hops look in the first of them.
    let (new, answers) = stories(500, rng);
    let tape = Tape::no_grad();
    let answered = network.answer(&tape, &new, Alignment::Softmax);
    let said: Vec<usize> = answered.logits.value().column_iter().map(|x| x.imax()).collect();
    let right = said.iter().zip(&answers).filter(|(said, answer)| said == answer).count();
    println!("{right} of 500 new questions right\n\nhop 1  hop 2");
    assert!(right >= 490);
    let text = |words: &[usize]| words.iter().map(|w| WORDS[*w]).collect::<Vec<_>>().join(" ");
    for (i, sentence) in new.sentences.iter().take(6).enumerate() {
        let [first, second] = [0, 1].map(|hop| 100.0 * answered.weights[hop][i]);
        println!("{first:3.0} %  {second:3.0} %  {}", text(sentence));
    }
    println!("{}? {}", text(new.questions.iter().next().unwrap()), WORDS[said[0]]);
}
