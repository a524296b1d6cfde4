//! All trainings on the adding problem, and what became of the gradients.

use super::adding::{self, LENGTHS, LOOK, SOLVED};
use super::cell::Cell;
use super::config::Config;
use super::flow;
use crate::layers::{Gru, Lstm, Rnn};
use serde::{Deserialize, Serialize};
use shared::{Float, Module};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{mean, short, trainings, with_seeds};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The test's mean squared error at the end: mean, smallest and largest over the seeds.
    pub error: Float,
    pub lowest: Float,
    pub highest: Float,
    /// In how many runs it ended below [`SOLVED`].
    pub solved: usize,
    /// Every second look at the test: steps, then mean, smallest and largest error.
    pub curve: Vec<(usize, Float, Float, Float)>,
}

pub struct Added {
    /// The test's mean squared error every [`LOOK`] steps.
    pub curve: Vec<Float>,
    /// The norms of [`flow::norms`], when it was trained at [`flow::LENGTH`].
    pub norms: Vec<Float>,
    pub parameters: usize,
}

pub fn add(cell: Cell, length: usize, config: &Config, seed: u64) -> Result<Added> {
    match cell {
        Cell::Rnn => add_with::<Rnn>(length, config, seed),
        Cell::Gru => add_with::<Gru>(length, config, seed),
        Cell::Lstm => add_with::<Lstm>(length, config, seed),
    }
}

fn add_with<L: flow::Sensitive + Sync>(length: usize, config: &Config, seed: u64) -> Result<Added> {
    let (mut model, curve) = adding::learn::<L>(length, config.steps, config.stream(seed))?;
    let measured = length == flow::LENGTH;
    let norms = measured.then(|| flow::norms(&model.layer, config.stream(500)));
    let parameters = model.parameter_count();
    Ok(Added { curve, norms: norms.unwrap_or_default(), parameters })
}

/// By `t10`, `t50` …, then by cell.
pub type Additions = BTreeMap<String, BTreeMap<String, Learned>>;

/// All trainings on the adding problem, the longest first; and the gradients after training.
pub(super) fn additions(config: &Config) -> Result<(Additions, BTreeMap<String, Vec<Float>>)> {
    let of_length = |length| [Cell::Lstm, Cell::Gru, Cell::Rnn].map(|cell| (length, cell));
    let jobs: Vec<(usize, Cell)> = LENGTHS.into_iter().rev().flat_map(of_length).collect();
    let all = with_seeds(&jobs, config.seeds);
    let title = "the adding problem, the longest come first";
    let runs = trainings(title, &all, |((t, cell), seed)| add(*cell, *t, config, *seed))?;
    let (mut adding, mut trained) = (Additions::new(), BTreeMap::new());
    for ((length, cell), runs) in jobs.iter().zip(runs.chunks(config.seeds)) {
        let of_length = adding.entry(format!("t{length}")).or_default();
        of_length.insert(cell.name().into(), summary(runs));
        if *length == flow::LENGTH {
            trained.insert(cell.name().into(), geometric_mean(runs));
        }
    }
    Ok((adding, trained))
}

pub fn summary(runs: &[Added]) -> Learned {
    let spread = |i: usize| {
        let at: Vec<Float> = runs.iter().map(|run| run.curve[i]).collect();
        let low = at.iter().copied().fold(Float::INFINITY, Float::min);
        [mean(&at), low, at.iter().copied().fold(0.0, Float::max)].map(short)
    };
    let last = runs[0].curve.len() - 1;
    let point = |i: usize| {
        let [mean, low, high] = spread(i);
        ((i + 1) * LOOK, mean, low, high)
    };
    let [error, lowest, highest] = spread(last);
    let solved = runs.iter().filter(|run| run.curve[last] < SOLVED).count();
    let curve = (0..=last).filter(|i| i % 2 == 1 || *i == last).map(point).collect();
    Learned { error, lowest, highest, solved, curve }
}

pub fn geometric_mean(runs: &[Added]) -> Vec<Float> {
    let at = |i: usize| mean(&runs.iter().map(|run| run.norms[i].ln()).collect::<Vec<_>>());
    (0..flow::LAGS.len()).map(|i| short(at(i).exp())).collect()
}
