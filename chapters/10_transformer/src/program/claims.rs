//! What was expected before the comparison ran.

use super::results::ModelScores;
use super::rows::{EQUAL_TIME, MODELS};
use std::cmp::Ordering::{self, Greater, Less};
use std::collections::BTreeMap;
use workbench::study::{Claim, Spread, all_hold, claims_of_rows, of_rows, smaller};

type Models = BTreeMap<String, ModelScores>;

/// Rows of `--what positions`, the one first that the others are compared with.
const ALL_BUT_ALIBI: [&str; 8] = [
    "sinusoids",
    "learned",
    "shaw_self",
    "shaw_cross",
    "shaw_both",
    "rope_self",
    "rope_cross",
    "rope_both",
];

/// Judges every claim by the numbers beside it; rows that are missing make none. A claim that
/// one row is higher than another is decided when their seeds do not overlap, one about a difference
/// when all pairs of their seeds agree.
pub fn claims(models: &Models) -> BTreeMap<String, Claim> {
    let all = of_models(models).into_iter().chain(of_variants(models));
    claims_of_rows(all.chain(of_others(models)))
}

/// Of `--what positions`; written down before it ran, by a trial of one or two seeds with other code.
pub fn claims_of_positions(models: &Models) -> BTreeMap<String, Claim> {
    let long = |row: &ModelScores| bleu(row, "long").clone();
    let higher = |names: [&'static str; 2]| {
        of_rows(models, &names, |rows| smaller(&long(rows[1]).of_seeds, &long(rows[0]).of_seeds))
    };
    let all = |pairs: &[[&'static str; 2]]| {
        let each: Option<Vec<Option<bool>>> = pairs.iter().map(|names| higher(*names)).collect();
        each.map(all_hold)
    };
    claims_of_rows([
        (
            "self",
            "distances in self-attention raise BLEU on the long part, whichever of the three tells them",
            all(&[
                ["shaw_self", "sinusoids"],
                ["rope_self", "sinusoids"],
                ["alibi_self", "sinusoids"],
            ]),
        ),
        (
            "both",
            "in cross-attention as well, Shaw's and RoPE's raise it further",
            all(&[["shaw_both", "shaw_self"], ["rope_both", "rope_self"]]),
        ),
        (
            "ninety",
            "one of these two then has 90 or more on the long part, in the mean",
            of_rows(models, &["shaw_both", "rope_both"], |rows| {
                rows.iter().any(|row| bleu(row, "long").mean >= 90.0)
            }),
        ),
        (
            "across",
            "in cross-attention alone, Shaw's have more on the long part than in self-attention alone",
            higher(["shaw_cross", "shaw_self"]),
        ),
        (
            "test",
            "on the test part no row but ALiBi's falls behind sinusoids",
            of_rows(models, &ALL_BUT_ALIBI, |rows| {
                let test = |row: &ModelScores| bleu(row, "test").of_seeds.clone();
                let is_behind = |row: &&ModelScores| smaller(&test(row), &test(rows[0]));
                !rows[1..].iter().any(|row| is_behind(row) == Some(true))
            }),
        ),
    ])
}

type JudgedClaim = (&'static str, &'static str, Option<Option<bool>>);

fn of_models(models: &Models) -> [JudgedClaim; 6] {
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

fn of_variants(models: &Models) -> [JudgedClaim; 5] {
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

/// Of the rows that have another model or another normalisation, and are trained as `linear` is.
fn of_others(models: &Models) -> [JudgedClaim; 4] {
    [
        (
            "conv_parameters",
            "ConvS2S and the Transformer differ in parameters by less than 2 %",
            of_rows(models, &["conv_s2s", "transformer"], |rows| {
                let [conv, ours] = [0, 1].map(|i| rows[i].parameters);
                Some(conv.abs_diff(ours) * 50 < ours)
            }),
        ),
        (
            "conv_test",
            "on the test part ConvS2S's BLEU is lower than the Transformer's under the same schedule",
            first_is(Less, models, &["conv_s2s", "linear"], |row| bleu(row, "test")),
        ),
        (
            "conv_long",
            "on the long part ConvS2S's BLEU is lower than chapter 6's",
            first_is(Less, models, &["conv_s2s", "bahdanau"], |row| bleu(row, "long")),
        ),
        (
            "batch_norm",
            "with batch normalisation BLEU on the test part is lower",
            first_is(Less, models, &["batch_norm", "linear"], |row| bleu(row, "test")),
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
