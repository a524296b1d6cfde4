//! What was expected before the first run.

use super::searches::Search;
use crate::translating::ModelScores;
use std::collections::BTreeMap;
use workbench::study::{Claim, Spread, claims_of_rows, of_rows, smaller};

/// Judges every claim by the numbers beside it; models that are missing make none.
pub fn claims(
    models: &BTreeMap<String, ModelScores>,
    search: &BTreeMap<String, Search>,
) -> BTreeMap<String, Claim> {
    let test = |model: &ModelScores| model.parts["test"].bleu.clone();
    let sizes = ["hidden_32", "hidden_64", "default", "hidden_256"];
    claims_of_rows([
        (
            "falls",
            "BLEU of 5–8 words exceeds BLEU of 13–16 words by at least 20, with every seed",
            of_rows(models, &["default"], |rows| falls_by(rows[0], 20.0)),
        ),
        (
            "long",
            "on the long part BLEU is less than half of BLEU on the test part, with every seed",
            of_rows(models, &["default"], |rows| {
                let half = |long, test| long < test / 2.0;
                with_every_seed(&rows[0].parts["long"].bleu, &test(rows[0]), half)
            }),
        ),
        (
            "numbers",
            "every doubling of the context, from 32 to 256 numbers, raises the mean BLEU",
            of_rows(models, &sizes, |rows| rows.is_sorted_by(|a, b| test(a).mean < test(b).mean)),
        ),
        (
            "still_falls",
            "with 256 numbers too, BLEU of 5–8 words exceeds BLEU of 13–16 by at least 5, with every seed",
            of_rows(models, &["hidden_256"], |rows| falls_by(rows[0], 5.0)),
        ),
        (
            "beam",
            "a beam of four finds translations of a higher BLEU than greedy search, with every seed",
            of_rows(search, &["width_4", "greedy"], |rows| {
                with_every_seed(&rows[0].bleu, &rows[1].bleu, |beam, greedy| beam > greedy)
            }),
        ),
        (
            "wider",
            "a beam of eight changes the mean BLEU of a beam of four by less than 1",
            of_rows(search, &["width_8", "width_4"], |rows| {
                (rows[0].bleu.mean - rows[1].bleu.mean).abs() < 1.0
            }),
        ),
        (
            "reversed",
            "reading the source backwards raises the mean BLEU",
            of_rows(models, &["default", "reversed"], |rows| {
                smaller(&test(rows[0]).of_seeds, &test(rows[1]).of_seeds)
            }),
        ),
    ])
}

/// Whether BLEU falls by so much from 5–8 words to 13–16, with every seed.
fn falls_by(model: &ModelScores, least: f64) -> bool {
    let range = |from: usize| model.by_length.iter().find(|range| range.from == from);
    let [short, long] = [5, 13].map(|from| &range(from).expect("such lengths occur").bleu);
    with_every_seed(short, long, |short, long| short - long >= least)
}

fn with_every_seed(a: &Spread, b: &Spread, holds: impl Fn(f64, f64) -> bool) -> bool {
    a.of_seeds.iter().zip(&b.of_seeds).all(|(a, b)| holds(*a, *b))
}
