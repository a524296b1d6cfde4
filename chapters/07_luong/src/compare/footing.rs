//! Dot and general on equal footing: the same mechanisms with a learnt matrix before the score, as in
//! the large table, where `dot` is a general score because of it; and without one. Then each direction
//! of the encoder has half of a state's entries, and an annotation is as long as a state by itself.

use super::arguments::Arguments;
use super::mechanisms::{MECHANISMS, Row, Setup, bahdanau_of, equalised};
use super::trained::{Of, Trained, difference, interval, train};
use crate::choices::{Chapter, Choices};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Recipe, Repetitions};
use serde::{Deserialize, Serialize};
use shared::Module;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::study::{Claim, Findings, Interval, Spread, smaller};

/// A mechanism of the large table with input feeding, and whether a learnt matrix stands before the
/// score. With it three things change: there is the matrix, the encoder's directions are twice as wide,
/// and the word vectors are narrower to pay for both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    mechanism: &'static str,
    projected: bool,
}

/// The rows: those of Table 4 that compare words, without a projection; and three with one, the last of
/// which the page has in the large table, too.
pub const VARIANTS: [Variant; 9] = [
    Variant::new("global_dot", false),
    Variant::new("global_general", false),
    Variant::new("global_dot", true),
    Variant::new("global_general", true),
    Variant::new("local_m_dot", false),
    Variant::new("local_m_general", false),
    Variant::new("local_p_dot", false),
    Variant::new("local_p_general", false),
    Variant::new("local_m_dot", true),
];

impl Variant {
    pub(super) const fn new(mechanism: &'static str, projected: bool) -> Variant {
        Variant { mechanism, projected }
    }

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn key(self) -> String {
        format!("{}{}", if self.projected { "projected_" } else { "" }, self.mechanism)
    }

    pub fn choices(self) -> Choices {
        let mechanism = MECHANISMS.iter().find(|other| other.name == self.mechanism);
        let mechanism = mechanism.expect("a mechanism of the large table");
        Choices { projected: self.projected, ..mechanism.choices(true) }
    }
}

/// `footing/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Footing {
    #[serde(flatten)]
    pub plan: Repetitions,
    pub hidden: usize,
    pub rows: BTreeMap<String, FootingRow>,
    /// By the name of one of [`PAIRS`] and by part: BLEU of one row minus that of another.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

/// A row over its seeds. Translations are those of greedy search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FootingRow {
    /// Entries of a word's vector.
    pub embedding: usize,
    pub parameters: usize,
    /// The mean BLEU on the test and on the long part, with the intervals of the bootstrap.
    pub interval: Interval,
    pub long_interval: Interval,
    /// By the names of `NUMBERS`.
    #[serde(flatten)]
    pub numbers: BTreeMap<String, Spread>,
}

/// Numbers of a training: of the test, BLEU on the long part, and on the pairs of the test in which no
/// word lies outside a window of three, and in which a word does.
const NUMBERS: [(&str, Of); 7] = [
    ("perplexity", |run| run.perplexity),
    ("bleu", |run| run.bleu),
    ("chrf", |run| run.chrf),
    ("aer", |run| run.aer),
    ("long", |run| run.long),
    ("near", |run| run.near.bleu),
    ("displaced", |run| run.displaced.bleu),
];

/// Rows that differ in one thing: a name, a row, and the one that its BLEU is held against.
pub const PAIRS: [(&str, &str, &str); 7] = [
    ("global", "global_dot", "global_general"),
    ("local_m", "local_m_dot", "local_m_general"),
    ("local_p", "local_p_dot", "local_p_general"),
    ("projected_global", "projected_global_dot", "projected_global_general"),
    ("dot_projection", "projected_global_dot", "global_dot"),
    ("general_projection", "projected_global_general", "global_general"),
    ("crossed", "projected_global_dot", "global_general"),
];

pub(super) fn rows(
    variants: &[Variant],
    arguments: &Arguments,
    corpus: &Corpus,
) -> Result<Vec<Row>> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    let mut rows = Vec::new();
    for variant in variants {
        let choices = variant.choices();
        Chapter::check(&Config::new(&base, choices.clone())).map_err(Error::Argument)?;
        let sizes = equalised(&base, &choices, parameters);
        let setup = Setup { mechanism: variant.mechanism, choices: Some(choices), sizes };
        rows.push(arguments.repeated.row(&variant.key(), setup, None));
    }
    arguments.repeated.study.choose(rows)
}

pub(super) fn footing(arguments: &Arguments, corpus: &Corpus) -> Result<()> {
    let rows = rows(&VARIANTS, arguments, corpus)?;
    let mut study = arguments.study(corpus)?;
    let found = train(&mut study, &rows, arguments, corpus)?;
    let of_row = |row: &Row| {
        let embedding = row.config.sizes.embedding;
        (row.name.clone(), FootingRow::new(embedding, &found[&row.name]))
    };
    let pair = |(name, a, b): (&str, &str, &str)| {
        let (these, those) = (found.get(a)?, found.get(b)?);
        let part = |i: usize| (corpus.tests[i].name.clone(), difference(these, those, i));
        Some((name.to_owned(), (0..2).map(part).collect()))
    };
    let mut results = Footing {
        plan: Repetitions::new(&arguments.repeated, corpus),
        hidden: arguments.hidden as usize,
        rows: rows.iter().map(of_row).collect(),
        differences: PAIRS.into_iter().filter_map(pair).collect(),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}

impl Findings for Footing {
    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}

impl FootingRow {
    fn new(embedding: usize, runs: &[Trained]) -> FootingRow {
        let number = |(name, of): (&str, Of)| {
            (name.to_owned(), Spread::of(runs.iter().map(|trained| of(&trained.run))))
        };
        FootingRow {
            embedding,
            parameters: runs[0].parameters,
            interval: interval(runs, 0),
            long_interval: interval(runs, 1),
            numbers: NUMBERS.map(number).into(),
        }
    }
}

/// Table 4 of the paper once more, without a projection, and what we expect of the projection: (name,
/// number, which is smaller, which is larger), and the sentence.
type Expected = ([&'static str; 4], &'static str);

const EXPECTED: [Expected; 10] = [
    (
        ["global_bleu", "bleu", "global_general", "global_dot"],
        "everywhere, dot has a higher BLEU than general (18.6, 17.3)",
    ),
    (
        ["local_m_perplexity", "perplexity", "local_m_general", "local_m_dot"],
        "in local-m's window, general has a lower perplexity than dot (6.2, over 7.0)",
    ),
    (
        ["local_p_perplexity", "perplexity", "local_p_general", "local_p_dot"],
        "in local-p's window, general has a lower perplexity than dot (5.9, 6.6)",
    ),
    (
        ["local_p_bleu", "bleu", "local_p_dot", "local_p_general"],
        "in local-p's window, general has a higher BLEU than dot (19.0, 18.0)",
    ),
    (
        ["dot_local_m", "perplexity", "global_dot", "local_m_dot"],
        "with dot, global attention has a lower perplexity than local-m (6.1, over 7.0)",
    ),
    (
        ["dot_local_p", "perplexity", "local_p_dot", "local_m_dot"],
        "with dot, local-p has a lower perplexity than local-m (6.6, over 7.0)",
    ),
    (
        ["general_local_m", "perplexity", "global_general", "local_m_general"],
        "with general, global attention has a lower perplexity than local-m (6.1, 6.2)",
    ),
    (
        ["general_local_p", "perplexity", "local_p_general", "global_general"],
        "with general, local-p has a lower perplexity than global attention (5.9, 6.1)",
    ),
    (
        ["dot_projection", "bleu", "global_dot", "projected_global_dot"],
        "a learnt matrix before it raises the BLEU of dot, everywhere",
    ),
    (
        ["one_matrix", "bleu", "projected_global_general", "projected_global_dot"],
        "behind a learnt matrix, dot has a higher BLEU than general, everywhere",
    ),
];

/// Judges what Table 4 says by the numbers of these rows: decided when the seeds do not overlap.
pub fn claims(footing: &Footing) -> BTreeMap<String, Claim> {
    let judged = |([name, number, less, more], claim): Expected| {
        let of_seeds = |row: &str| Some(&footing.rows.get(row)?.numbers.get(number)?.of_seeds);
        Some((name, claim, smaller(of_seeds(less)?, of_seeds(more)?)))
    };
    workbench::claims(EXPECTED.into_iter().filter_map(judged))
}
