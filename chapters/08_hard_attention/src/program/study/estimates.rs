//! Estimates against the enumerated gradient.

use super::snapshot::{Snapshot, moving_average};
use super::spread::Spread;
use crate::program::config::Config;
use crate::program::statistics::{Moments, round};
use crate::retrieval::{Episode, Method, Model};
use nalgebra::DMatrix;
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, rng};
use std::collections::BTreeMap;

/// Estimates of the gradient with respect to W, compared with the enumerated one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Study {
    pub norm: Float,
    /// By `none`, `moving`, `optimal`.
    pub baselines: BTreeMap<String, Estimates>,
    pub moving_factor: Float,
    pub optimal_factor: Float,
    pub best_per_query: Float,
    pub straight_through: Estimates,
    /// (b, variance by enumeration)
    pub parabola: Vec<(Float, Float)>,
    pub entry: Float,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimates {
    pub baseline: Float,
    /// Variance of the estimate, summed over the entries, by enumeration (0 where it is unknown).
    pub variance: Float,
    pub measured: Float,
    /// The largest distance of a mean from its enumerated value, in standard errors.
    pub largest_z: Float,
    /// The mean square of those distances: near 1 for an unbiased estimate.
    pub mean_square_z: Float,
    pub cosine: Float,
    pub deviation: Float,
    /// (draws, running mean of that entry)
    pub running: Vec<(usize, Float)>,
}

impl Study {
    pub fn forget_running(&mut self) {
        self.baselines.values_mut().for_each(|estimates| estimates.running.clear());
        self.straight_through.running.clear();
    }
}

/// Draws `config.draws` estimates with each baseline, from the same random numbers.
pub fn study(config: &Config, snapshot: &Snapshot) -> Study {
    let Snapshot { model, episode } = snapshot;
    let goal = gradient(model, episode, Method::Enumerated, &[]);
    let spread = Spread::new(model, episode);
    let moving = moving_average(config, model);
    let baselines = [("none", 0.0), ("moving", moving), ("optimal", spread.optimal())];
    let of = |(name, baseline): &(&str, Float)| {
        let method = Method::Sampled { baseline: *baseline, entropy: 0.0 };
        let errors = Some(spread.by_entry(*baseline, episode));
        let mut estimates = estimates(config, snapshot, method, &goal, errors);
        (estimates.baseline, estimates.variance) = (*baseline, spread.variance(*baseline));
        (name.to_string(), estimates)
    };
    let end = 2.0 * spread.optimal();
    let factor = |b: Float| spread.variance(0.0) / spread.variance(b);
    Study {
        moving_factor: factor(moving),
        optimal_factor: factor(spread.optimal()),
        norm: goal.norm(),
        baselines: baselines.par_iter().map(of).collect(),
        best_per_query: spread.best_per_query(),
        straight_through: estimates(config, snapshot, Method::StraightThrough, &goal, None),
        parabola: (0..=20)
            .map(|i| end * i as Float / 20.0)
            .map(|b| (round(b), round(spread.variance(b))))
            .collect(),
        entry: goal[largest(&goal)],
    }
}

/// The gradient with respect to W, a mean over the queries of one episode.
pub fn gradient(model: &Model, episode: &Episode, method: Method, uniforms: &[Float]) -> Matrix {
    let tape = Tape::new();
    let n = episode.answers.len() as Float;
    let loss = model.loss(&tape, episode, method, uniforms).objective * (1.0 / n);
    loss.backward().of(&model.content.w.weight).expect("the loss depends on W").clone()
}

/// `exact`: the variance of each entry, where it is known; else the draws must show it.
fn estimates(
    config: &Config,
    snapshot: &Snapshot,
    method: Method,
    goal: &Matrix,
    exact: Option<DMatrix<f64>>,
) -> Estimates {
    let Snapshot { model, episode } = snapshot;
    let (n, entry) = (episode.answers.len(), largest(goal));
    let rng = &mut rng(config.stream(5000));
    let (mut drawn, mut running) = (Moments::new(goal.nrows(), goal.ncols()), Vec::new());
    for draw in 1..=config.draws {
        let uniforms: Vec<Float> = (0..n).map(|_| rng.random()).collect();
        drawn.add(gradient(model, episode, method, &uniforms).map(f64::from));
        if on_curve(draw) {
            running.push((draw, round((drawn.sum[entry] / draw as f64) as Float)));
        }
    }
    let (draws, mean, variance) = (drawn.draws, drawn.mean(), drawn.variance());
    let known = exact.as_ref().unwrap_or(&variance);
    let distance = |i: usize| (mean[i] - f64::from(goal[i])) / (known[i] / draws).sqrt();
    let z: Vec<f64> = (0..goal.len()).map(distance).collect();
    let goal = goal.map(f64::from);
    Estimates {
        baseline: 0.0,
        variance: 0.0,
        measured: variance.sum() as Float,
        largest_z: z.iter().fold(0.0_f64, |a, z| a.max(z.abs())) as Float,
        mean_square_z: (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64) as Float,
        cosine: (mean.dot(&goal) / (mean.norm() * goal.norm())) as Float,
        deviation: known[entry].sqrt() as Float,
        running,
    }
}

fn largest(x: &Matrix) -> usize {
    nalgebra::DVector::from_column_slice(x.as_slice()).iamax()
}

fn on_curve(draw: usize) -> bool {
    let at = |draw: usize| (10.0 * (draw as f64).log10()) as usize;
    draw >= 10 && (draw == 10 || at(draw) > at(draw - 1))
}
