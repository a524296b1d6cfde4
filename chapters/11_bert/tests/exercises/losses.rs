//! 11.9: what loss is normal?

use super::solutions;
use std::collections::HashMap;
use tests::exercises::{Exercise, unhinted, with};

type Losses = fn() -> [f64; 7];

pub const EXERCISE: Exercise<Losses> = Exercise {
    check,
    wrong: &[
        unhinted("bits", || solutions::losses().map(|loss| loss / 2f64.ln())),
        unhinted("special pieces never come", || with(solutions::losses(), 0, 10f64.ln())),
        unhinted("special pieces occur", || with(solutions::losses(), 1, 15f64.ln())),
        unhinted("it never is certain", || with(solutions::losses(), 5, 0.2 * 2f64.ln())),
        unhinted("one gives the other away", || with(solutions::losses(), 6, 0.5 * 2f64.ln())),
    ],
};

const SENTENCES: &str =
    "the cats drink milk .,the dogs drink water .,the cats eat fish .,the dogs eat meat .";

/// Where words are masked, what the model sees that is asked for one of them, and why it costs what it costs.
type Model = (&'static [usize], fn(&[&str], usize) -> String, &'static str);

const MODELS: [Model; 5] = [
    (&ALL, |_, _| String::new(), "“the” is one word in five, and so is “.”: a mean over positions"),
    (
        &ALL,
        |sentence, i| format!("{:?}", i.checked_sub(1).map(|i| sentence[i])),
        "noun, verb and object have two answers each; the two certain positions count, too",
    ),
    (
        &ALL,
        |words, i| format!("{:?} {:?}", i.checked_sub(1).map(|i| words[i]), words.get(i + 1)),
        "the verb is certain, but “the _ drink” is said of cats and dogs, “drink _ .” of milk or water",
    ),
    (&ALL, |sentence, i| but(sentence, &[i]), "whatever position is masked, one sentence is left"),
    (
        &[1, 3],
        |sentence, i| format!("{i} {}", but(sentence, &[1, 3])),
        "neither is seen when the other is asked for: two answers for each, and this is the mean",
    ),
];

const ALL: [usize; 5] = [0, 1, 2, 3, 4];

fn but(sentence: &[&str], masked: &[usize]) -> String {
    ALL.map(|i| if masked.contains(&i) { "_" } else { sentence[i] }).join(" ")
}

fn check(losses: Losses) {
    let untaught = [
        (15f64.ln(), "all 15 pieces of the vocabulary are about equally likely"),
        (10f64.ln(), "the special pieces never occur, all others are equally likely"),
    ];
    let counted = MODELS.into_iter().map(|(positions, seen, why)| (knowing(positions, seen), why));
    let all = losses().into_iter().zip(untaught.into_iter().chain(counted)).enumerate();
    for (i, (found, (right, why))) in all {
        let is_near = (found - right).abs() <= 0.02;
        assert!(is_near, "{i}: it is not {found:.3} nats (natural logarithms)\nhint: {why}");
    }
}

/// The mean over these positions of `−ln p(word | what is seen)`, by counting the sentences.
fn knowing(positions: &[usize], seen: fn(&[&str], usize) -> String) -> f64 {
    let asked = SENTENCES.split(',').flat_map(|sentence| {
        let words: Vec<&str> = sentence.split(' ').collect();
        positions.iter().map(move |i| (seen(&words, *i), words[*i]))
    });
    let asked: Vec<(String, &str)> = asked.collect();
    let (mut contexts, mut pairs) = (HashMap::new(), HashMap::new());
    for pair in &asked {
        *contexts.entry(&pair.0).or_insert(0.0) += 1.0;
        *pairs.entry(pair).or_insert(0.0) += 1.0;
    }
    let losses = asked.iter().map(|pair| f64::ln(contexts[&pair.0] / pairs[pair]));
    losses.sum::<f64>() / asked.len() as f64
}
