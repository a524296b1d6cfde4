//! What was expected before the first run.

use super::results::{ModelScores, Search};
use crate::translating::LengthSpread;
use std::collections::BTreeMap;
use workbench::study::Spread;
use workbench::{Claim, smaller};

/// Judges every claim by the numbers beside it.
pub fn claims(
    models: &BTreeMap<String, ModelScores>,
    search: &BTreeMap<String, Search>,
) -> BTreeMap<String, Claim> {
    let default = &models["default"];
    let test = |name: &str| &models[name].parts["test"].bleu;
    let doublings = ["hidden_32", "hidden_64", "default", "hidden_256"].map(|name| test(name).mean);
    workbench::claims([
        (
            "falls",
            "BLEU of 5–8 words exceeds BLEU of 13–16 words by at least 20, with every seed",
            Some(every(falls(default), |fall| fall >= 20.0)),
        ),
        (
            "long",
            "on the long part BLEU is less than half of BLEU on the test part, with every seed",
            Some(both(&default.parts["long"].bleu, test("default"), |long, test| {
                long < test / 2.0
            })),
        ),
        (
            "numbers",
            "every doubling of the context, from 32 to 256 numbers, raises the mean BLEU",
            Some(doublings.windows(2).all(|pair| pair[0] < pair[1])),
        ),
        (
            "still_falls",
            "with 256 numbers too, BLEU of 5–8 words exceeds BLEU of 13–16 by at least 5, with every seed",
            Some(every(falls(&models["hidden_256"]), |fall| fall >= 5.0)),
        ),
        (
            "beam",
            "a beam of four finds translations of a higher BLEU than greedy search, with every seed",
            Some(both(&search["width_4"].bleu, &search["greedy"].bleu, |beam, greedy| {
                beam > greedy
            })),
        ),
        (
            "wider",
            "a beam of eight changes the mean BLEU of a beam of four by less than 1",
            Some((search["width_8"].bleu.mean - search["width_4"].bleu.mean).abs() < 1.0),
        ),
        (
            "reversed",
            "reading the source backwards raises the mean BLEU",
            smaller(&test("default").of_seeds, &test("reversed").of_seeds),
        ),
    ])
}

/// By how much BLEU falls from 5–8 words to 13–16, for each seed.
fn falls(model: &ModelScores) -> Vec<f64> {
    let range = |from: usize| -> &LengthSpread {
        model.by_length.iter().find(|range| range.from == from).expect("such lengths occur")
    };
    let (short, long) = (&range(5).bleu.of_seeds, &range(13).bleu.of_seeds);
    short.iter().zip(long).map(|(short, long)| short - long).collect()
}

fn every(numbers: Vec<f64>, holds: impl Fn(f64) -> bool) -> bool {
    numbers.into_iter().all(holds)
}

fn both(a: &Spread, b: &Spread, holds: impl Fn(f64, f64) -> bool) -> bool {
    a.of_seeds.iter().zip(&b.of_seeds).all(|(a, b)| holds(*a, *b))
}
