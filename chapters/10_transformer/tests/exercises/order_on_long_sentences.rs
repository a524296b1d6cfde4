//! 10.12: three models and long sentences.

use super::solutions;
use serde::Deserialize;
use std::collections::BTreeMap;
use tests::exercises::{Exercise, unhinted, wrong};
use workbench::statistics::Spread;
use workbench::statistics::smaller;

type Answer = ([&'static str; 3], [bool; 2]);

pub const EXERCISE: Exercise<fn() -> Answer> = Exercise {
    check,
    wrong: &[
        wrong(PLACES, || (["transformer", "random_start", "bahdanau"], [true, true])),
        wrong(
            "at word 25 a Transformer adds the vector of position 25; a recurrent network takes one step more",
            || (["random_start", "bahdanau", "transformer"], [true, true]),
        ),
        wrong(PLACES, || (["bahdanau", "transformer", "random_start"], [true, true])),
        wrong(EVERY, || (solutions::order_on_long_sentences().0, [false, false])),
        wrong(EVERY, || (solutions::order_on_long_sentences().0, [true, false])),
        unhinted("one model twice", || {
            let ([a, b, _], decided) = solutions::order_on_long_sentences();
            ([a, b, b], decided)
        }),
    ],
};

const PLACES: &str =
    "the two Transformers differ in one thing: which positions they have learnt from";
const EVERY: &str = "every seed of one lies above all of the other's";

const NAMES: [&str; 3] = ["transformer", "random_start", "bahdanau"];

fn check(order: fn() -> Answer) {
    let (names, decided) = order();
    let once = NAMES.iter().all(|name| names.contains(name));
    assert!(once, "the names are {names:?}, not each of {NAMES:?} once");
    let seeds = names.map(seeds);
    let told = |i: usize, j: usize| {
        let [one, other] = [i, j].map(|i| format!("{} has BLEU {:.1?}", names[i], seeds[i]));
        format!("{one}, and {other}")
    };
    let above = |i: usize, j: usize| smaller(&seeds[j], &seeds[i]); // None: they overlap
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (first, second) = (names[i], names[j]);
        assert!(above(i, j) != Some(false), "{first} stands before {second}, but {}", told(i, j));
    }
    for (i, decided) in decided.into_iter().enumerate() {
        let does = if decided { "decide" } else { "do not decide" };
        let right = decided == above(i, i + 1).is_some();
        assert!(right, "you say that the seeds {does} it, but {}", told(i, i + 1));
    }
}

/// What is read of the recorded comparison.
#[derive(Deserialize)]
struct Recorded {
    rows: BTreeMap<String, BTreeMap<String, Spread>>,
}

/// BLEU on the long part, seed by seed.
fn seeds(name: &str) -> Vec<f64> {
    let recorded: Recorded = tests::chapter::results(env!("CARGO_MANIFEST_DIR"));
    let Some(long) = recorded.rows.get(name).and_then(|row| row.get("long_bleu")) else {
        panic!(
            "figures/results.json has no row “{name}” with a number “long_bleu” to compare your order with; \
             `cargo run --release -p evidence -- transformer` measures it"
        )
    };
    long.of_seeds.clone()
}
