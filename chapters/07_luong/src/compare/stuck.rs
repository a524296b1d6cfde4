//! How often does local-p not find its positions?

use super::arguments::Arguments;
use super::mechanisms::{MECHANISMS, Row, Setup, bahdanau_of, equalised};
use super::trained::{Run, Trained, train};
use crate::choices::{Chapter, Choices};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Recipe, Repetitions};
use serde::{Deserialize, Serialize};
use shared::Module;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::program::say;
use workbench::study::{Findings, rounded};

/// A training is *stuck* when the BLEU of its test translations is by more than this below that of the
/// best of its mechanism's. (Written down before any of these trainings ran. In the large table, the two
/// that the page calls stuck are 19 and 27 below their best, and the next one is 4.)
pub const FAR_BELOW: f64 = 10.0;

/// `stuck/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stuck {
    #[serde(flatten)]
    pub plan: Repetitions,
    pub rows: BTreeMap<String, StuckRow>,
    pub minutes: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StuckRow {
    pub trainings: usize,
    pub bleu: Vec<f64>,
    pub aer: Vec<f64>,
    pub stuck: Rate,
}

/// So many of some trainings, and the chances for which that is no surprise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    pub count: usize,
    /// The ends of the 95 % interval of the chance.
    pub low: f64,
    pub high: f64,
}

impl Rate {
    /// Of `count` among `of` trainings, with the interval of Wilson (1927): the chances p with
    /// `|count/of − p| ≤ 1.96 √(p(1 − p)/of)`. It is sound with few trainings, and where none or all
    /// are counted.
    ///
    /// ```
    /// use luong::compare::stuck::Rate;
    /// let none = Rate::of(0, 10);
    /// assert_eq!((none.low, none.high), (0.0, 0.2775));
    /// let half = Rate::of(5, 10);
    /// assert_eq!((half.low, half.high), (0.2366, 0.7634));
    /// ```
    ///
    /// # Panics
    /// When there are no trainings.
    pub fn of(count: usize, of: usize) -> Rate {
        assert!(of > 0, "a rate among no trainings");
        const Z: f64 = 1.959_964;
        let (n, share) = (of as f64, count as f64 / of as f64);
        let scale = 1.0 / (1.0 + Z * Z / n);
        let middle = scale * (share + Z * Z / (2.0 * n));
        let half = scale * Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let chance = |x: f64| rounded(x.clamp(0.0, 1.0));
        Rate { count, low: chance(middle - half), high: chance(middle + half) }
    }
}

impl StuckRow {
    pub fn new(bleu: Vec<f64>, aer: Vec<f64>) -> StuckRow {
        let trainings = bleu.len();
        let best = bleu.iter().copied().fold(0.0, f64::max);
        let stuck = bleu.iter().filter(|bleu| **bleu < best - FAR_BELOW).count();
        StuckRow { trainings, bleu, aer, stuck: Rate::of(stuck, trainings) }
    }
}

/// Local-p with input feeding and with no learnt matrix before the score.
fn rows(arguments: &Arguments, corpus: &Corpus) -> Result<Vec<Row>> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    let mut rows = Vec::new();
    for mechanism in MECHANISMS.into_iter().filter(|one| one.name.starts_with("local_p")) {
        let choices = Choices { projected: false, ..mechanism.choices(true) };
        Chapter::check(&Config::new(&base, choices.clone())).map_err(Error::Argument)?;
        let sizes = equalised(&base, &choices, parameters);
        let setup = Setup { mechanism: mechanism.name, choices: Some(choices), sizes };
        rows.push(arguments.repeated.row(mechanism.name, setup, None));
    }
    arguments.repeated.study.choose(rows)
}

pub(super) fn stuck(arguments: &Arguments, corpus: &Corpus) -> Result<()> {
    let rows = rows(arguments, corpus)?;
    let mut study = arguments.study(corpus)?;
    let found = train(&mut study, &rows, arguments, corpus)?;
    let row = |(name, runs): (&String, &Vec<Trained>)| {
        let of_seeds = |of: fn(&Run) -> f64| runs.iter().map(|trained| of(&trained.run)).collect();
        (name.clone(), StuckRow::new(of_seeds(|run| run.bleu), of_seeds(|run| run.aer)))
    };
    study.publish(&Stuck {
        plan: Repetitions::new(&arguments.repeated, corpus),
        rows: found.iter().map(row).collect(),
        minutes: study.minutes(),
    })
}

impl Findings for Stuck {
    fn print(&self) {
        for (name, row) in &self.rows {
            say(format!("{name}: {} of {} stuck", row.stuck.count, row.trainings));
        }
    }
}
