//! 10.12: three models and long sentences.

use seq2seq::translating::PartScores;
use serde::Deserialize;
use std::collections::BTreeMap;
use tests::exercises::{Exercise, Kind, Wrong};
use workbench::smaller;

type Answer = ([&'static str; 3], [bool; 2]);

pub fn exercise() -> Exercise<fn() -> Answer> {
    Exercise {
        number: 12,
        title: "three models and long sentences",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "as on sentences of the usual lengths",
                hint: "differ in one thing",
                answer: || (["transformer", "random_start", "bahdanau"], [true, true]),
            },
            Wrong {
                name: "known places are all that is missing",
                hint: "one step more",
                answer: || (["random_start", "bahdanau", "transformer"], [true, true]),
            },
            Wrong {
                name: "sinusoids go on by themselves",
                hint: "differ in one thing",
                answer: || (["bahdanau", "transformer", "random_start"], [true, true]),
            },
            Wrong {
                name: "the lowest first",
                hint: "the highest comes first",
                answer: || {
                    let ([a, b, c], [ab, bc]) = by_means();
                    ([c, b, a], [bc, ab])
                },
            },
            Wrong {
                name: "three seeds decide nothing",
                hint: "every seed of",
                answer: || (by_means().0, [false, false]),
            },
            Wrong {
                name: "decided where they are not, and not where they are",
                hint: "you say that the seeds",
                answer: || {
                    let (names, decided) = by_means();
                    (names, decided.map(|decided| !decided))
                },
            },
            Wrong {
                name: "one pair decided the other way",
                hint: "you say that the seeds",
                answer: || {
                    let (names, [first, second]) = by_means();
                    (names, [first, !second])
                },
            },
            Wrong {
                name: "one model twice",
                hint: "each of",
                answer: || {
                    let ([a, b, _], decided) = by_means();
                    ([a, b, b], decided)
                },
            },
        ],
    }
}

const NAMES: [&str; 3] = ["transformer", "random_start", "bahdanau"];

fn check(order: fn() -> Answer) {
    let (names, decided) = order();
    assert!(
        NAMES.iter().all(|name| names.contains(name)),
        "the names are {names:?}\nhint: each of {NAMES:?} once"
    );
    let seeds = names.map(seeds);
    let lies = |i: usize, j: usize| smaller(&seeds[i], &seeds[j]); // None: they overlap
    let told = |i: usize| {
        let all: Vec<String> = seeds[i].iter().map(|bleu| format!("{bleu:.1}")).collect();
        format!("{} has BLEU {}", names[i], all.join(", "))
    };
    let mut faults = Vec::new();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        if lies(i, j) == Some(true) {
            let (above, below) = (names[i], names[j]);
            let hint = if [above, below].contains(&"bahdanau") {
                "at word 25 a Transformer adds the vector of place 25; a recurrent network takes one step more"
            } else {
                "these two differ in one thing: which places they have learnt from"
            };
            faults.push(format!(
                "{above} stands before {below}, but {}, and {}\nhint: {hint}",
                told(i),
                told(j)
            ));
        }
    }
    if faults.len() == 3 {
        faults.push("hint: all three the other way round: the highest comes first".into());
    }
    for (i, decided) in decided.into_iter().enumerate() {
        let (is, pair) = (lies(i, i + 1).is_some(), format!("{}, and {}", told(i), told(i + 1)));
        if decided && !is {
            faults.push(format!(
                "you say that the seeds decide it, but {pair}\nhint: they overlap, whatever the means are"
            ));
        } else if is && !decided {
            faults.push(format!(
                "you say that the seeds do not decide it, but {pair}\nhint: every seed of one lies above all of the other's"
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is read of the recorded comparison.
#[derive(Deserialize)]
struct Recorded {
    models: BTreeMap<String, Row>,
}

#[derive(Deserialize)]
struct Row {
    parts: BTreeMap<String, PartScores>,
}

/// BLEU on the long part, seed by seed.
fn seeds(name: &str) -> Vec<f64> {
    let recorded: Recorded = tests::chapter::results(env!("CARGO_MANIFEST_DIR"));
    let Some(long) = recorded.models.get(name).and_then(|row| row.parts.get("long")) else {
        panic!(
            "figures/results.json has no row “{name}” with a part “long” to compare your order with; \
             `cargo run --release -p transformer -- compare` measures it"
        )
    };
    long.bleu.of_seeds.clone()
}

/// The names by their means, and which neighbours the seeds decide.
fn by_means() -> Answer {
    let mut names = NAMES;
    let mean = |name: &str| {
        let seeds = seeds(name);
        seeds.iter().sum::<f64>() / seeds.len() as f64
    };
    names.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let decided = |i: usize| smaller(&seeds(names[i]), &seeds(names[i + 1])).is_some();
    (names, [decided(0), decided(1)])
}
