//! How often does local-p not find its places?

use super::arguments::Arguments;
use super::footing::{self, LOCAL_P_DOT, LOCAL_P_GENERAL, Way};
use super::results::Run;
use seq2seq::translating::Repetitions;
use seq2seq::translating::corpus::Corpus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, say};
use workbench::study::Spread;

/// A training is *stuck* when the BLEU of its test translations is by more than this below that of the
/// best of its mechanism's. (Written down before any of these trainings ran. In the large table, the two
/// that the page calls stuck are 19 and 27 below their best, and the next one is 4.)
pub const FAR_BELOW: f64 = 10.0;

const WAYS: [Way; 2] = [LOCAL_P_GENERAL, LOCAL_P_DOT];

/// `stuck/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stuck {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// The mechanisms by name.
    pub rows: BTreeMap<String, StuckRow>,
    /// Minutes that it took, those of kept trainings left out.
    pub minutes: f64,
}

/// One mechanism's trainings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StuckRow {
    /// How many there are.
    pub trainings: usize,
    /// BLEU on the test of every seed.
    pub bleu: Vec<f64>,
    /// Alignment error rate on the test of every seed.
    pub aer: Vec<f64>,
    /// How many are stuck.
    pub stuck: Rate,
}

/// So many of some trainings, and the chances for which that is no surprise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// How many.
    pub count: usize,
    /// The lower end of the 95 % interval of the chance.
    pub low: f64,
    /// The upper end.
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
        let short = |x: f64| (x.clamp(0.0, 1.0) * 1e4).round() / 1e4;
        Rate { count, low: short(middle - half), high: short(middle + half) }
    }
}

impl StuckRow {
    /// Counts the trainings with these scores.
    pub fn new(bleu: Vec<f64>, aer: Vec<f64>) -> StuckRow {
        let trainings = bleu.len();
        let best = bleu.iter().copied().fold(0.0, f64::max);
        let stuck = bleu.iter().filter(|bleu| **bleu < best - FAR_BELOW).count();
        StuckRow { trainings, bleu, aer, stuck: Rate::of(stuck, trainings) }
    }
}

/// Trains, counts, records.
pub(super) fn run(arguments: &Arguments, corpus: &Corpus, output: &Output) -> Result<()> {
    let begin = Instant::now();
    let judged = footing::trained(&WAYS, arguments, corpus)?;
    let row = |way: Way| {
        let runs = || judged.iter().filter(move |run| run.way == way);
        let of_seeds =
            |of: fn(&Run) -> f64| Spread::of(runs().map(|run| of(&run.worth.run))).of_seeds;
        let row = || StuckRow::new(of_seeds(|run| run.bleu), of_seeds(|run| run.aer));
        (runs().count() > 0).then(|| (way.key(), row()))
    };
    let results = Stuck {
        plan: Repetitions::new(&arguments.repeated, corpus),
        rows: WAYS.into_iter().filter_map(row).collect(),
        minutes: (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0,
    };
    for (name, row) in &results.rows {
        say(format!("{name}: {} of {} stuck", row.stuck.count, row.trainings));
    }
    output.results(&results)
}
