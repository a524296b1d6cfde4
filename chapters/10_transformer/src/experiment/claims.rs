//! What was expected before the comparison ran.

use super::results::ModelScores;
use super::rows::{EQUAL_TIME, MODELS};
use std::cmp::Ordering::{self, Greater, Less};
use std::collections::BTreeMap;
use workbench::study::{Claim, Spread, all_hold, claims_of_rows, of_rows, smaller};

type Models = BTreeMap<String, ModelScores>;

/// Judges every claim by the numbers beside it; rows that are missing make none. A claim that
/// one row is higher than another is decided when their seeds do not overlap, one about a difference
/// when all pairs of their seeds agree.
pub fn claims(models: &Models) -> BTreeMap<String, Claim> {
    claims_of_rows(of_models(models).into_iter().chain(of_variants(models)))
}

type Judged = (&'static str, &'static str, Option<Option<bool>>);

fn of_models(models: &Models) -> [Judged; 6] {
    let two = ["transformer", "bahdanau"];
    let equal_time = [&MODELS[..1], &EQUAL_TIME].concat();
    [
        (
            "parameters",
            "the four models on equal parameters differ by less than 2 %",
            of_rows(models, &MODELS, |rows| {
                let counts = || rows.iter().map(|row| row.parameters);
                let (least, most) = (counts().min()?, counts().max()?);
                Some((most - least) * 50 < least)
            }),
        ),
        (
            "test",
            "on the test part the Transformer's BLEU is higher than that of each recurrent model on equal parameters",
            first_is(Greater, models, &MODELS, |row| bleu(row, "test")),
        ),
        (
            "equal_time",
            "so it is on equal time",
            first_is(Greater, models, &equal_time, |row| bleu(row, "test")),
        ),
        (
            "compositional",
            "on the compositional part too, on equal parameters",
            first_is(Greater, models, &MODELS, |row| bleu(row, "compositional")),
        ),
        (
            "long",
            "on the long part the Transformer's BLEU is lower than chapter 6's",
            first_is(Less, models, &two, |row| bleu(row, "long")),
        ),
        (
            "aer",
            "the Transformer's alignment error rate on the test part is lower than chapter 6's",
            first_is(Less, models, &two, |row| row.parts["test"].aer.as_ref().expect("both align")),
        ),
    ]
}

fn of_variants(models: &Models) -> [Judged; 5] {
    let smoothing = ["without_smoothing", "transformer"];
    [
        (
            "random_start",
            "with random starts BLEU on the long part is higher by at least 20, with every seed",
            of_rows(models, &["random_start", "transformer"], |rows| {
                bleu(rows[0], "long").lowest >= bleu(rows[1], "long").highest + 20.0
            }),
        ),
        (
            "warm_up",
            "after the parts (post-LN), BLEU on the test part is lower without warm-up",
            first_is(Less, models, &["linear_without_warm_up", "linear"], |row| bleu(row, "test")),
        ),
        (
            "warm_up_pre",
            "before the parts (pre-LN), BLEU on the test part changes by less than 1 without warm-up",
            of_rows(models, &["linear_pre_without_warm_up", "linear_pre"], |rows| {
                changes_by_less_than_1(bleu(rows[0], "test"), bleu(rows[1], "test"))
            }),
        ),
        (
            "smoothing_perplexity",
            "without label smoothing the perplexity of the test part is lower",
            first_is(Less, models, &smoothing, |row| &row.perplexity),
        ),
        (
            "smoothing_bleu",
            "without label smoothing its BLEU is lower",
            first_is(Less, models, &smoothing, |row| bleu(row, "test")),
        ),
    ]
}

fn bleu<'a>(row: &'a ModelScores, part: &str) -> &'a Spread {
    &row.parts[part].bleu
}

fn changes_by_less_than_1(these: &Spread, those: &Spread) -> Option<bool> {
    let pairs = these.of_seeds.iter().flat_map(|a| those.of_seeds.iter().map(move |b| a - b));
    let small: Vec<bool> = pairs.map(|difference: f64| difference.abs() < 1.0).collect();
    small.iter().all(|is| *is == small[0]).then_some(small[0])
}

/// Whether the first row's number is less, or greater, than that of each other.
fn first_is(
    order: Ordering,
    models: &Models,
    names: &[&str],
    number: fn(&ModelScores) -> &Spread,
) -> Option<Option<bool>> {
    of_rows(models, names, |rows| {
        let seeds = |row: &ModelScores| number(row).of_seeds.clone();
        let is_less = rows[1..].iter().map(|row| smaller(&seeds(rows[0]), &seeds(row)));
        all_hold(is_less.map(|is_less| is_less.map(|is_less| is_less == (order == Less))))
    })
}
