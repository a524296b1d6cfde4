//! All trainings on the adding problem, and what became of the gradients.

use super::adding::{self, LENGTHS, LOOK, SOLVED};
use super::cell::Cell;
use super::config::Config;
use super::flow;
use super::statistics::{mean, short};
use crate::layers::{Gru, Lstm, Rnn};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;

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
/// As [`run`](super::run).
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

/// By `t10`, `t50` …, then by cell.
pub type Additions = BTreeMap<String, BTreeMap<String, Learned>>;

/// All trainings on the adding problem, the longest first; and the gradients after training.
pub(super) fn additions(
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
        let curves: Vec<&[Float]> = runs.iter().map(|run| run.curve.as_slice()).collect();
        of_length.insert(cell.name().into(), summary(&curves));
        if *length == flow::LENGTH {
            trained.insert(cell.name().into(), geometric_mean(runs));
        }
    }
    Ok((adding, trained))
}

/// Several runs' test errors, of one model at one length, as one.
pub fn summary(runs: &[&[Float]]) -> Learned {
    let spread = |i: usize| {
        let at: Vec<Float> = runs.iter().map(|run| run[i]).collect();
        let low = at.iter().copied().fold(Float::INFINITY, Float::min);
        let high = at.iter().copied().fold(0.0, Float::max);
        (mean(&at), low, high)
    };
    let last = runs[0].len() - 1;
    let point = |i: usize| {
        let (mean, low, high) = spread(i);
        ((i + 1) * LOOK, short(mean), short(low), short(high))
    };
    let (error, lowest, highest) = spread(last);
    let solved = runs.iter().filter(|run| run[last] < SOLVED).count();
    let curve = (0..=last).filter(|i| i % 2 == 1 || *i == last).map(point).collect();
    Learned { error: short(error), lowest: short(lowest), highest: short(highest), solved, curve }
}

fn geometric_mean(runs: &[Added]) -> Vec<Float> {
    let at = |i: usize| mean(&runs.iter().map(|run| run.norms[i].ln()).collect::<Vec<_>>());
    (0..flow::LAGS.len()).map(|i| short(at(i).exp())).collect()
}
