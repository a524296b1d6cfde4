//! 16.5: the floor of a small grammar.

use super::solutions;
use tests::exercises::{Exercise, wrong};

type Floor = fn(usize, usize, f64) -> f64;

pub const EXERCISE: Exercise<Floor> = Exercise {
    check,
    wrong: &[
        wrong("the verb is a choice, too", |names, places, went| {
            nats(names, places, went, 0.0) / words(went)
        }),
        wrong("a place is chosen only after *went*", |names, places, went| {
            (nats(names, 1, went, verb(went)) + (places as f64).ln()) / words(went)
        }),
        wrong(
            "nats of all sentences over words of all sentences, not the mean of their ratios",
            |names, places, went| {
                let name = (names as f64).ln();
                let one = (name - went.ln() + (places as f64).ln()) / 6.0;
                let other = if went < 1.0 { (name - (1.0 - went).ln()) / 3.0 } else { 0.0 };
                went * one + (1.0 - went) * other
            },
        ),
        wrong("sentences with *went* have 6 words, the others 3", |names, places, went| {
            solutions::floor(names, places, went) * words(went) / 4.5
        }),
        wrong("nats: natural logarithms", |names, places, went| {
            solutions::floor(names, places, went) / std::f64::consts::LN_2
        }),
        wrong("a word, not a sentence", |names, places, went| {
            solutions::floor(names, places, went) * words(went)
        }),
    ],
};

fn words(went: f64) -> f64 {
    6.0 * went + 3.0 * (1.0 - went)
}

fn verb(went: f64) -> f64 {
    [went, 1.0 - went].iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum()
}

fn nats(names: usize, places: usize, went: f64, verb: f64) -> f64 {
    (names as f64).ln() + verb + went * (places as f64).ln()
}

/// By going through all sentences.
fn check(floor: Floor) {
    for (names, places, went) in [(4, 5, 0.5), (1, 1, 0.5), (3, 7, 0.2), (2, 4, 0.9), (6, 5, 1.0)] {
        let mut sums = [0.0; 2];
        for place in 0..=places {
            let chance = if place == places { 1.0 - went } else { went / places as f64 };
            let sentence = chance / names as f64; // of one name with this end
            if sentence > 0.0 {
                sums[0] -= chance * sentence.ln();
                sums[1] += chance * if place == places { 3.0 } else { 6.0 };
            }
        }
        let (found, expected) = (floor(names, places, went), sums[0] / sums[1]);
        assert!(
            (found - expected).abs() < 1e-9,
            "floor({names}, {places}, {went}) is {found:.4}, not {expected:.4}: a sentence has {:.3} nats and {:.2} words",
            sums[0],
            sums[1]
        );
    }
}
