//! What was expected before the comparison ran.

use super::results::ModelScores;
use super::rows::{EQUAL_TIME, MODELS};
use seq2seq::translating::PartScores;
use std::collections::BTreeMap;
use workbench::study::Spread;
use workbench::{Claim, smaller};

type Models = BTreeMap<String, ModelScores>;

/// Judges every claim by the numbers beside it; rows that are missing make none. A claim that
/// one row is higher than another is decided when their seeds do not overlap, one about a difference
/// when all pairs of their seeds agree.
pub fn claims(models: &Models) -> BTreeMap<String, Claim> {
    let all = [
        (
            "parameters",
            "the four models on equal parameters differ by less than 2 %",
            of(models, &MODELS, |rows| {
                let counts = || rows.iter().map(|row| row.parameters);
                let (least, most) = (counts().min()?, counts().max()?);
                Some((most - least) * 50 < least)
            }),
        ),
        (
            "test",
            "on the test part the Transformer's BLEU is higher than that of each recurrent model on equal parameters",
            over_all(models, |row| &row.parts["test"].bleu, false),
        ),
        (
            "equal_time",
            "so it is on equal time",
            over(
                models,
                &[&MODELS[..1], &EQUAL_TIME].concat(),
                |row| &row.parts["test"].bleu,
                false,
            ),
        ),
        (
            "compositional",
            "on the compositional part too, on equal parameters",
            over_all(models, |row| &row.parts["compositional"].bleu, false),
        ),
        (
            "long",
            "on the long part the Transformer's BLEU is lower than chapter 6's",
            over(models, &["transformer", "bahdanau"], |row| &row.parts["long"].bleu, true),
        ),
        (
            "aer",
            "the Transformer's alignment error rate on the test part is lower than chapter 6's",
            over(models, &["transformer", "bahdanau"], |row| aer(&row.parts["test"]), true),
        ),
        (
            "random_start",
            "with random starts BLEU on the long part is higher by at least 20, with every seed",
            of(models, &["random_start", "transformer"], |rows| {
                let [moved, fixed] = [rows[0], rows[1]].map(|row| &row.parts["long"].bleu);
                Some(moved.lowest >= fixed.highest + 20.0)
            }),
        ),
        (
            "warm_up",
            "after the parts (post-LN), BLEU on the test part is lower without warm-up",
            over(
                models,
                &["linear_without_warm_up", "linear"],
                |row| &row.parts["test"].bleu,
                true,
            ),
        ),
        (
            "warm_up_pre",
            "before the parts (pre-LN), BLEU on the test part changes by less than 1 without warm-up",
            of(models, &["linear_pre_without_warm_up", "linear_pre"], |rows| {
                let [without, with] = [rows[0], rows[1]].map(|row| &row.parts["test"].bleu);
                let apart = |(a, b): (&f64, &f64)| (a - b).abs();
                let pairs =
                    without.of_seeds.iter().flat_map(|a| with.of_seeds.iter().map(move |b| (a, b)));
                let differences: Vec<f64> = pairs.map(apart).collect();
                match differences.iter().filter(|difference| **difference < 1.0).count() {
                    0 => Some(false),
                    count => (count == differences.len()).then_some(true),
                }
            }),
        ),
        (
            "smoothing_perplexity",
            "without label smoothing the perplexity of the test part is lower",
            over(models, &["without_smoothing", "transformer"], |row| &row.perplexity, true),
        ),
        (
            "smoothing_bleu",
            "without label smoothing its BLEU is lower",
            over(
                models,
                &["without_smoothing", "transformer"],
                |row| &row.parts["test"].bleu,
                true,
            ),
        ),
    ];
    let there = all.into_iter().filter_map(|(name, claim, holds)| Some((name, claim, holds?)));
    workbench::claims(there)
}

/// What a judge says of these rows, if they are there.
fn of<H: Into<Option<bool>>>(
    models: &Models,
    names: &[&str],
    judge: impl Fn(&[&ModelScores]) -> H,
) -> Option<Option<bool>> {
    let rows: Option<Vec<_>> = names.iter().map(|name| models.get(*name)).collect();
    rows.map(|rows| judge(&rows).into())
}

/// Whether the first row's number is smaller (or larger) than that of each other.
fn over(
    models: &Models,
    names: &[&str],
    number: fn(&ModelScores) -> &Spread,
    is_smaller: bool,
) -> Option<Option<bool>> {
    of(models, names, |rows| {
        let first = &number(rows[0]).of_seeds;
        let verdicts: Vec<Option<bool>> = (rows[1..].iter())
            .map(|row| smaller(first, &number(row).of_seeds).map(|less| less == is_smaller))
            .collect();
        match verdicts.contains(&Some(false)) {
            true => Some(false),
            false => verdicts.into_iter().all(|verdict| verdict == Some(true)).then_some(true),
        }
    })
}

fn over_all(
    models: &Models,
    number: fn(&ModelScores) -> &Spread,
    is_smaller: bool,
) -> Option<Option<bool>> {
    over(models, &MODELS, number, is_smaller)
}

fn aer(scores: &PartScores) -> &Spread {
    scores.aer.as_ref().expect("both align")
}
