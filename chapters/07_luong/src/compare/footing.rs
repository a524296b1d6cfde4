//! Dot and general on equal footing: the same mechanisms with a learnt matrix before the score, as in
//! the large table, where `dot` is a general score because of it; and without one. Then each direction
//! of the encoder has half of a state's entries, and an annotation is as long as a state by itself.

use super::arguments::Arguments;
use super::results::{difference, interval};
use super::setups::{Row, Setup, equalised};
use super::trained::{Run, Trained, train};
use crate::Scoring;
use crate::choices::{Chapter, Choices};
use crate::windows::Reach;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Recipe, Repetitions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::study::{Claim, Findings, Interval, Spread, smaller};

/// One way to attend, with input feeding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    name: &'static str,
    reach: Reach,
    score: Scoring,
    window: u32,
    projected: bool,
}

/// The rows: those of Table 4 that compare words, without a projection; and three with one, the last of
/// which the page has in the large table, too.
pub const WAYS: [Way; 9] = [
    GLOBAL_DOT,
    GLOBAL_GENERAL,
    GLOBAL_DOT.projected(),
    GLOBAL_GENERAL.projected(),
    LOCAL_M_DOT,
    Way::new("local_m_general", Reach::LocalM, Scoring::General, 1),
    LOCAL_P_DOT,
    LOCAL_P_GENERAL,
    LOCAL_M_DOT.projected(),
];

const GLOBAL_DOT: Way = Way::new("global_dot", Reach::Global, Scoring::Dot, 1);
const GLOBAL_GENERAL: Way = Way::new("global_general", Reach::Global, Scoring::General, 1);
const LOCAL_M_DOT: Way = Way::new("local_m_dot", Reach::LocalM, Scoring::Dot, 1);
pub(super) const LOCAL_P_DOT: Way = Way::new("local_p_dot", Reach::LocalP, Scoring::Dot, 3);
pub(super) const LOCAL_P_GENERAL: Way =
    Way::new("local_p_general", Reach::LocalP, Scoring::General, 3);

impl Way {
    const fn new(name: &'static str, reach: Reach, score: Scoring, window: u32) -> Way {
        Way { name, reach, score, window, projected: false }
    }

    /// The same with a learnt matrix before the score. Three things change: there is the matrix, the
    /// encoder's directions are twice as wide, and the word vectors are narrower to pay for both.
    pub(super) const fn projected(self) -> Way {
        Way { projected: true, ..self }
    }

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn key(self) -> String {
        if self.projected { format!("projected_{}", self.name) } else { self.name.to_owned() }
    }

    /// The model's choices.
    pub fn choices(self) -> Choices {
        let Way { reach, score, window, projected, .. } = self;
        Choices { score, reach, window, projected, ..Choices::default() }
    }
}

/// `footing/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Footing {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// Entries of a state.
    pub hidden: usize,
    /// The rows by name.
    pub rows: BTreeMap<String, FootingRow>,
    /// By the name of one of [`PAIRS`] and by part: BLEU of one row minus that of another.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What was written down before it ran, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Minutes that it took, those of kept trainings left out.
    pub minutes: f64,
}

/// A row over its seeds. Translations are those of greedy search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FootingRow {
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Parameters.
    pub parameters: usize,
    /// Perplexity on the test.
    pub perplexity: Spread,
    /// BLEU on the test.
    pub bleu: Spread,
    /// The mean BLEU on the test, with the interval of the bootstrap.
    pub interval: Interval,
    /// chrF on the test.
    pub chrf: Spread,
    /// Alignment error rate on the test.
    pub aer: Spread,
    /// BLEU on longer sentences than any in training.
    pub long: Spread,
    /// Its mean with the interval of the bootstrap.
    pub long_interval: Interval,
    /// BLEU of the pairs in which no word lies outside a window of three.
    pub near: Spread,
    /// BLEU of the pairs in which a word does.
    pub displaced: Spread,
}

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

/// The rows that are asked for.
pub(super) fn rows(ways: &[Way], arguments: &Arguments, corpus: &Corpus) -> Result<Vec<Row>> {
    let (base, parameters) = arguments.base_and_parameters(corpus);
    let mut rows = Vec::new();
    for way in ways {
        let choices = way.choices();
        Chapter::check(&Config::new(&base, choices.clone())).map_err(Error::Argument)?;
        let sizes = equalised(&base, &choices, parameters);
        let setup = Setup { mechanism: way.name, choices: Some(choices), sizes };
        rows.push(setup.row(way.key(), arguments));
    }
    arguments.repeated.study.choose(rows)
}

/// Trains, judges, records.
pub(super) fn footing(arguments: &Arguments, corpus: &Corpus) -> Result<()> {
    let rows = rows(&WAYS, arguments, corpus)?;
    let mut study = arguments.study(corpus)?;
    let found =
        study.run(&rows, |row, seed, progress| train(row, seed, corpus, arguments, progress))?;
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
    fn tell(&self) {}

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}

impl FootingRow {
    fn new(embedding: usize, runs: &[Trained]) -> FootingRow {
        let spread = |of: fn(&Run) -> f64| Spread::of(runs.iter().map(|trained| of(&trained.run)));
        FootingRow {
            embedding,
            parameters: runs[0].parameters,
            perplexity: spread(|run| run.perplexity),
            bleu: spread(|run| run.bleu),
            interval: interval(runs, 0),
            chrf: spread(|run| run.chrf),
            aer: spread(|run| run.aer),
            long: spread(|run| run.long),
            long_interval: interval(runs, 1),
            near: spread(|run| run.near.bleu),
            displaced: spread(|run| run.displaced.bleu),
        }
    }
}

/// Table 4 of the paper once more, without a projection, and what we expect of the projection: (name,
/// of what, which is smaller, which is larger, the sentence).
type Expected =
    (&'static str, fn(&FootingRow) -> &Spread, &'static str, &'static str, &'static str);

const EXPECTED: [Expected; 10] = [
    (
        "global_bleu",
        |row| &row.bleu,
        "global_general",
        "global_dot",
        "everywhere, dot has a higher BLEU than general (18.6, 17.3)",
    ),
    (
        "local_m_perplexity",
        |row| &row.perplexity,
        "local_m_general",
        "local_m_dot",
        "in local-m's window, general has a lower perplexity than dot (6.2, over 7.0)",
    ),
    (
        "local_p_perplexity",
        |row| &row.perplexity,
        "local_p_general",
        "local_p_dot",
        "in local-p's window, general has a lower perplexity than dot (5.9, 6.6)",
    ),
    (
        "local_p_bleu",
        |row| &row.bleu,
        "local_p_dot",
        "local_p_general",
        "in local-p's window, general has a higher BLEU than dot (19.0, 18.0)",
    ),
    (
        "dot_local_m",
        |row| &row.perplexity,
        "global_dot",
        "local_m_dot",
        "with dot, global attention has a lower perplexity than local-m (6.1, over 7.0)",
    ),
    (
        "dot_local_p",
        |row| &row.perplexity,
        "local_p_dot",
        "local_m_dot",
        "with dot, local-p has a lower perplexity than local-m (6.6, over 7.0)",
    ),
    (
        "general_local_m",
        |row| &row.perplexity,
        "global_general",
        "local_m_general",
        "with general, global attention has a lower perplexity than local-m (6.1, 6.2)",
    ),
    (
        "general_local_p",
        |row| &row.perplexity,
        "local_p_general",
        "global_general",
        "with general, local-p has a lower perplexity than global attention (5.9, 6.1)",
    ),
    (
        "dot_projection",
        |row| &row.bleu,
        "global_dot",
        "projected_global_dot",
        "a learnt matrix before it raises the BLEU of dot, everywhere",
    ),
    (
        "one_matrix",
        |row| &row.bleu,
        "projected_global_general",
        "projected_global_dot",
        "behind a learnt matrix, dot has a higher BLEU than general, everywhere",
    ),
];

/// Judges what Table 4 says by the numbers of these rows: decided when the seeds do not overlap.
pub fn claims(footing: &Footing) -> BTreeMap<String, Claim> {
    let judged = |(name, of, less, more, claim): Expected| {
        let of_seeds = |row: &str| Some(&of(footing.rows.get(row)?).of_seeds);
        Some((name, claim, smaller(of_seeds(less)?, of_seeds(more)?)))
    };
    workbench::claims(EXPECTED.into_iter().filter_map(judged))
}
