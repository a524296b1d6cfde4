//! How often does local-p not find its places?

use super::arguments::Arguments;
use super::footing::{self, Judged, LOCAL_P_DOT, LOCAL_P_GENERAL, Way};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::{Repetitions, Spread};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, say};

/// A training is *stuck* when the BLEU of its test translations is below this. (Written down before
/// any of these trainings ran; among those of the large table, the stuck ones had 67.5 and 73.1, and
/// the next one had 86.1.)
pub const STUCK_BELOW: f64 = 80.0;

/// A training is *astray* when its alignment error rate on the test is above this: it may translate,
/// but it does not look at the words that it translates.
pub const ASTRAY_ABOVE: f64 = 0.3;

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
    /// How many are astray.
    pub astray: Rate,
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
        let stuck = bleu.iter().filter(|bleu| **bleu < STUCK_BELOW).count();
        let astray = aer.iter().filter(|aer| **aer > ASTRAY_ABOVE).count();
        let rate = |count| Rate::of(count, trainings);
        StuckRow { trainings, bleu, aer, stuck: rate(stuck), astray: rate(astray) }
    }
}

/// Trains, counts, records.
pub(super) fn run(arguments: &Arguments, corpus: &Corpus, output: &Output) -> Result<()> {
    let begin = Instant::now();
    let judged = footing::trained(&WAYS, arguments, corpus)?;
    let row = |way: Way| {
        let runs = || judged.iter().filter(|run| run.name == way.name);
        let of_seeds = |of: fn(&Judged) -> f64| Spread::of(runs().map(of)).of_seeds;
        let row = || StuckRow::new(of_seeds(|run| run.bleu), of_seeds(|run| run.aer));
        (runs().count() > 0).then(|| (way.name.to_owned(), row()))
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
