//! What the page measures.
//!
//! | module | question |
//! |---|---|
//! | [`flow`] | how does a gradient fade on its way back? |
//! | [`adding`] | which cell carries a number over 10 … 200 steps? |
//! | [`clipping`] | what if it explodes? |
//! | [`apple`] | what if the deciding word comes later? |
//! | [`packing`] | what does padding cost? |

pub mod adding;
pub mod apple;
pub mod clipping;
mod figures;
pub mod flow;
pub mod packing;

pub use figures::figures;

use crate::layers::{Gru, Lstm, Rnn};
use adding::{LENGTHS, LOOK, SOLVED};
use apple::Reading;
use flow::Flow;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;

/// The chapter's experiment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often each training is repeated, with other data and other start values.
    pub seeds: usize,
    /// Training steps on the adding problem.
    pub steps: usize,
    /// Passes over the sentences of the apple task.
    pub epochs: usize,
}

impl Config {
    /// The seed of stream `number`. Streams of one `seed` differ, but seeds are added: repetition 1
    /// under seed 0 is repetition 0 under seed 1.
    fn stream(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 1, steps: 3000, epochs: 5 }
    }
}

/// The three cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Plain.
    Rnn,
    /// Gated recurrent unit.
    Gru,
    /// Long short-term memory.
    Lstm,
}

impl Cell {
    /// All three.
    pub const ALL: [Cell; 3] = [Cell::Rnn, Cell::Gru, Cell::Lstm];

    /// As results name it.
    pub fn name(self) -> &'static str {
        ["rnn", "gru", "lstm"][self as usize]
    }
}

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// How gradients fade.
    pub flow: Flow,
    /// The adding problem, by `t10`, `t50` …, then by cell.
    pub adding: BTreeMap<String, BTreeMap<String, Learned>>,
    /// Exploding gradients.
    pub clipping: clipping::Clipping,
    /// The apple task.
    pub apple: Apple,
    /// What padding would cost.
    pub packing: BTreeMap<String, packing::Padding>,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}

/// One cell at one length, over all seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The test's mean squared error at the end: mean, smallest and largest over the seeds.
    pub error: Float,
    /// The smallest.
    pub lowest: Float,
    /// The largest.
    pub highest: Float,
    /// In how many runs it ended below [`SOLVED`].
    pub solved: usize,
    /// Every second look at the test: steps, then mean, smallest and largest error.
    pub curve: Vec<(usize, Float, Float, Float)>,
}

/// The apple task, over all seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Apple {
    /// By reading: accuracies, means over the seeds.
    pub accuracy: BTreeMap<String, apple::Accuracy>,
    /// By reading: the lowest accuracy at 苹果.
    pub lowest: BTreeMap<String, Float>,
    /// By reading: the highest accuracy at 苹果.
    pub highest: BTreeMap<String, Float>,
    /// By reading: trainable numbers.
    pub parameters: BTreeMap<String, usize>,
    /// Sentences for training, and for the test.
    pub sentences: [usize; 2],
    /// By reading, for each of [`apple::EXAMPLES`]: the probability of "fruit" at every word.
    pub examples: BTreeMap<String, Vec<Vec<Float>>>,
}

/// The number of trainings that [`run`] will do.
pub fn trainings(config: &Config) -> usize {
    (LENGTHS.len() * Cell::ALL.len() + Reading::ALL.len()) * config.seeds
}

/// Runs everything on all cores; `done` is called after each training.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Result<Results> {
    let (adding, trained) = additions(config, &done)?;
    let flow = Flow { trained, ..flow::untrained(config) };
    let apple = apples(config, &done)?;
    let clipping = clipping::measure(config);
    let packing = packing::measure(config);
    let claims = claims(&adding, &flow, &apple);
    Ok(Results { flow, adding, clipping, apple, packing, claims })
}

/// One training on the adding problem, and what became of the gradients at [`flow::LENGTH`].
pub struct Added {
    /// The test's mean squared error every [`LOOK`] steps.
    pub curve: Vec<Float>,
    /// The norms of [`flow::norms`], when it was trained at that length.
    pub norms: Vec<Float>,
}

/// Trains one cell at one length with one seed.
///
/// # Errors
/// As [`run`].
pub fn add(cell: Cell, length: usize, config: &Config, seed: u64) -> Result<Added> {
    match cell {
        Cell::Rnn => add_with::<Rnn>(length, config, seed),
        Cell::Gru => add_with::<Gru>(length, config, seed),
        Cell::Lstm => add_with::<Lstm>(length, config, seed),
    }
}

fn add_with<L: flow::Sensitive + Sync>(length: usize, config: &Config, seed: u64) -> Result<Added> {
    let (model, curve) = adding::learn::<L>(length, config.steps, config.stream(seed))?;
    let norms = match length == flow::LENGTH {
        true => flow::norms(&model.layer, config.stream(500)),
        false => Vec::new(),
    };
    Ok(Added { curve, norms })
}

type Additions = BTreeMap<String, BTreeMap<String, Learned>>;

/// All trainings on the adding problem, the longest first; and the gradients after training.
fn additions(
    config: &Config,
    done: &(impl Fn() + Sync),
) -> Result<(Additions, BTreeMap<String, Vec<Float>>)> {
    let cells: Vec<(usize, Cell)> = LENGTHS
        .iter()
        .rev()
        .flat_map(|t| [Cell::Lstm, Cell::Gru, Cell::Rnn].map(|c| (*t, c)))
        .collect();
    let jobs: Vec<(usize, Cell, u64)> = cells
        .iter()
        .flat_map(|(t, cell)| (0..config.seeds as u64).map(|seed| (*t, *cell, seed)))
        .collect();
    let run = |(length, cell, seed): &(usize, Cell, u64)| {
        let added = add(*cell, *length, config, *seed)?;
        done();
        Ok(added)
    };
    let runs = jobs.par_iter().with_max_len(1).map(run).collect::<Result<Vec<Added>>>()?;
    let (mut adding, mut trained) = (Additions::new(), BTreeMap::new());
    for ((length, cell), runs) in cells.iter().zip(runs.chunks(config.seeds)) {
        let of_length = adding.entry(format!("t{length}")).or_default();
        of_length.insert(cell.name().into(), summary(runs));
        if *length == flow::LENGTH {
            trained.insert(cell.name().into(), geometric_mean(runs));
        }
    }
    Ok((adding, trained))
}

fn summary(runs: &[Added]) -> Learned {
    let spread = |i: usize| {
        let at: Vec<Float> = runs.iter().map(|run| run.curve[i]).collect();
        let low = at.iter().copied().fold(Float::INFINITY, Float::min);
        let high = at.iter().copied().fold(0.0, Float::max);
        (mean(&at), low, high)
    };
    let last = runs[0].curve.len() - 1;
    let point = |i: usize| {
        let (mean, low, high) = spread(i);
        ((i + 1) * LOOK, short(mean), short(low), short(high))
    };
    let (error, lowest, highest) = spread(last);
    let solved = runs.iter().filter(|run| run.curve[last] < SOLVED).count();
    let curve = (0..=last).filter(|i| i % 2 == 1 || *i == last).map(point).collect();
    Learned { error: short(error), lowest: short(lowest), highest: short(highest), solved, curve }
}

fn geometric_mean(runs: &[Added]) -> Vec<Float> {
    let at = |i: usize| mean(&runs.iter().map(|run| run.norms[i].ln()).collect::<Vec<_>>());
    (0..flow::LAGS.len()).map(|i| short(at(i).exp())).collect()
}

/// All trainings on the apple task.
fn apples(config: &Config, done: &(impl Fn() + Sync)) -> Result<Apple> {
    let jobs: Vec<(Reading, u64)> = Reading::ALL
        .into_iter()
        .flat_map(|reading| (0..config.seeds as u64).map(move |seed| (reading, seed)))
        .collect();
    let run = |(reading, seed): &(Reading, u64)| {
        let trained = apple::learn(*reading, config, *seed)?;
        done();
        Ok(trained)
    };
    let runs = jobs.par_iter().with_max_len(1).map(run).collect::<Result<Vec<_>>>()?;
    let mut found = Apple {
        accuracy: BTreeMap::new(),
        lowest: BTreeMap::new(),
        highest: BTreeMap::new(),
        parameters: BTreeMap::new(),
        sentences: runs[0].sentences,
        examples: BTreeMap::new(),
    };
    for (reading, runs) in Reading::ALL.iter().zip(runs.chunks(config.seeds)) {
        let name = || reading.name().to_string();
        let apple: Vec<Float> = runs.iter().map(|run| run.accuracy.apple).collect();
        let examples =
            apple::EXAMPLES.map(|words| runs[0].fruit(words).into_iter().map(short).collect());
        found.accuracy.insert(name(), apple::Accuracy::mean(runs));
        found.lowest.insert(name(), apple.iter().copied().fold(1.0, Float::min));
        found.highest.insert(name(), apple.iter().copied().fold(0.0, Float::max));
        found.parameters.insert(name(), runs[0].parameters);
        found.examples.insert(name(), examples.into());
    }
    Ok(found)
}

/// The claims, decided by the numbers.
pub fn claims(adding: &Additions, flow: &Flow, apple: &Apple) -> BTreeMap<String, Claim> {
    let all = |length: &str, cell: Cell, holds: &dyn Fn(Float) -> bool| {
        let learned = &adding[length][cell.name()];
        holds(learned.lowest) && holds(learned.highest)
    };
    let (solves, fails) = (|error: Float| error < SOLVED, |error: Float| error > 0.15);
    let gated = [Cell::Gru, Cell::Lstm];
    let last =
        |norms: &BTreeMap<String, Vec<Float>>, cell: Cell| norms[cell.name()][flow::LAGS.len() - 1];
    let (forward, both) = (Reading::Forward.name(), Reading::Bidirectional.name());
    let list = [
        (
            "a_gated",
            "at length 100, GRU and LSTM solve the adding problem with every seed: error below 0.0017",
            gated.iter().all(|cell| all("t100", *cell, &solves)),
        ),
        (
            "b_plain",
            "at length 100, the plain network fails with every seed: error above 0.15",
            all("t100", Cell::Rnn, &fails),
        ),
        (
            "c_short",
            "at length 10, the plain network learns too, with every seed: error below 0.08",
            all("t10", Cell::Rnn, &|error| error < 0.08),
        ),
        (
            "d_fresh",
            "before training, the gradient over 99 steps is largest in the LSTM, then in the GRU, \
             then in the plain network",
            last(&flow.fresh, Cell::Lstm) > last(&flow.fresh, Cell::Gru)
                && last(&flow.fresh, Cell::Gru) > last(&flow.fresh, Cell::Rnn),
        ),
        (
            "e_trained",
            "after training at length 100, it is more than a thousand times as large in GRU and LSTM \
             as in the plain network",
            gated
                .iter()
                .all(|cell| last(&flow.trained, *cell) > 1000.0 * last(&flow.trained, Cell::Rnn)),
        ),
        (
            "f_forward",
            "at 苹果, whoever reads forward only is right in exactly half of the test's sentences",
            apple.lowest[forward] == 0.5 && apple.highest[forward] == 0.5,
        ),
        (
            "g_both",
            "at 苹果, whoever reads in both directions is right in more than 99 % of them",
            apple.lowest[both] > 0.99,
        ),
    ];
    workbench::claims(list)
}

/// Four digits: results are read by people.
fn short(x: Float) -> Float {
    format!("{x:.3e}").parse().expect("a number that was printed")
}

fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}
