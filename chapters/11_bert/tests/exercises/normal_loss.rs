//! 11.9: what loss is normal?

use crate::solutions;
use std::collections::{HashMap, HashSet};
use tests::exercises::{Exercise, unhinted};

type Losses = fn() -> [f64; 7];

pub const EXERCISE: Exercise<Losses> = Exercise {
    check,
    wrong: &[
        unhinted("bits", || solutions::losses().map(|loss| loss / 2f64.ln())),
        unhinted("an untrained model knows what is special", || with(0, 10f64.ln())),
        unhinted("special pieces occur", || with(1, 15f64.ln())),
        unhinted("every word once", || with(2, 10f64.ln())),
        unhinted("where it is uncertain", || with(3, 2f64.ln())),
        unhinted("what comes after says nothing", || with(4, 0.6 * 2f64.ln())),
        unhinted("it never is quite certain", || with(5, 0.2 * 2f64.ln())),
        unhinted("one gives the other away", || with(6, 0.5 * 2f64.ln())),
    ],
};

fn with(which: usize, loss: f64) -> [f64; 7] {
    let mut losses = solutions::losses();
    losses[which] = loss;
    losses
}

const VOCABULARY: f64 = 15.0;

const SENTENCES: [[&str; 5]; 4] = [
    ["the", "cats", "drink", "milk", "."],
    ["the", "dogs", "drink", "water", "."],
    ["the", "cats", "eat", "fish", "."],
    ["the", "dogs", "eat", "meat", "."],
];

/// Where words are masked, what the model sees that is asked for one of them, and why it costs what it costs.
type Model = (&'static [usize], fn(&[&str; 5], usize) -> String, &'static str);

const MODELS: [Model; 5] = [
    (
        &ALL,
        |_, _| String::new(),
        "“the” is one word in five, and so is “.”: the mean is over positions, not over the list of words",
    ),
    (
        &ALL,
        |sentence, position| format!("{:?}", position.checked_sub(1).map(|i| sentence[i])),
        "noun, verb and object have two answers each, three positions of five; the other positions are certain, and count",
    ),
    (
        &ALL,
        |sentence, position| {
            format!(
                "{:?} {:?}",
                position.checked_sub(1).map(|i| sentence[i]),
                sentence.get(position + 1)
            )
        },
        "between its neighbours the verb is certain, but “the _ drink” is said of cats and dogs, and “drink _ .” of \
         “milk” or “water”",
    ),
    (
        &ALL,
        |sentence, position| but(sentence, &[position]),
        "whatever position is masked, one sentence is left",
    ),
    (
        &[1, 3],
        |sentence, position| format!("{position} {}", but(sentence, &[1, 3])),
        "neither is seen when the other is to be predicted: the verb leaves two answers for each, and this is the mean of \
         the two",
    ),
];

const ALL: [usize; 5] = [0, 1, 2, 3, 4];

fn but(sentence: &[&str; 5], masked: &[usize]) -> String {
    ALL.map(|position| if masked.contains(&position) { "_" } else { sentence[position] }).join(" ")
}

fn check(losses: Losses) {
    let words: HashSet<&str> = SENTENCES.into_iter().flatten().collect();
    let untaught = [
        (VOCABULARY.ln(), "all 15 pieces of the vocabulary are about equally likely"),
        (
            (words.len() as f64).ln(),
            "the special pieces never occur, all others are equally likely",
        ),
    ];
    let counted = MODELS.into_iter().map(|(positions, seen, why)| (knowing(positions, seen), why));
    let found = losses();
    for (i, (right, why)) in untaught.into_iter().chain(counted).enumerate() {
        let off = if found[i] > right { "too high" } else { "too low, or no number" };
        assert!(
            (found[i] - right).abs() <= 0.02,
            "{i}: {:.3} is {off}, in nats (natural logarithms)\nhint: {why}",
            found[i]
        );
    }
}

/// The mean over these positions of `−ln p(word | what is seen)`, by counting the sentences.
fn knowing(positions: &[usize], seen: fn(&[&str; 5], usize) -> String) -> f64 {
    let asked: Vec<(String, &str)> = (SENTENCES.iter())
        .flat_map(|sentence| {
            positions.iter().map(|position| (seen(sentence, *position), sentence[*position]))
        })
        .collect();
    let (mut contexts, mut pairs) = (HashMap::new(), HashMap::new());
    for pair in &asked {
        *contexts.entry(&pair.0).or_insert(0.0) += 1.0;
        *pairs.entry(pair).or_insert(0.0) += 1.0;
    }
    let losses = asked.iter().map(|pair| f64::ln(contexts[&pair.0] / pairs[pair]));
    losses.sum::<f64>() / asked.len() as f64
}
