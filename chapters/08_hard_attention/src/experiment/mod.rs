//! What the page measures: the estimator against the gradient it estimates, and soft against hard
//! attention on a retrieval task.

mod claims;
mod figures;
pub mod study;
pub mod training;

pub use claims::claims;
pub use figures::figures;

use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use study::{Example, Noise, Stage, Study};
use training::Learned;
use workbench::Claim;

/// The chapter's experiment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often each training is repeated, in another world with other data.
    pub seeds: usize,
    /// Training steps.
    pub steps: usize,
    /// Estimates that are averaged in the study of the estimator.
    pub draws: usize,
    /// Episodes in a batch.
    pub episodes: usize,
    /// Of Adam.
    pub learning_rate: Float,
    /// λ, the weight of the entropy bonus.
    pub lambda: Float,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            seeds: 20,
            steps: 3000,
            draws: 20_000,
            episodes: 2,
            learning_rate: 0.03,
            lambda: 0.1,
        }
    }
}

impl Config {
    /// The seed of stream `number`. Seeds are added: for numbers that share nothing with the
    /// committed ones take a seed of at least 10,000.
    pub fn stream(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }
}

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Three labels, worked by hand.
    pub example: Example,
    /// The estimator against the enumerated gradient, `early` and `late` in one training.
    pub study: BTreeMap<String, Study>,
    /// The variance of the estimate all along that training.
    pub stages: Vec<Stage>,
    /// How much gradients differ from batch to batch, by method, `early` and `late`.
    pub noise: BTreeMap<String, BTreeMap<String, Noise>>,
    /// By method.
    pub trained: BTreeMap<String, Learned>,
    /// Baseline and entropy bonus, by the bonus's weight λ.
    pub bonus: BTreeMap<String, Learned>,
    /// What one who knows the world gets right.
    pub ceiling: Ceiling,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Milliseconds a training step, by method: of one machine on one day, not compared.
    pub measured: BTreeMap<String, Float>,
}

/// The nearest key under the true rotation, and the nearest digit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ceiling {
    /// Share of right answers.
    pub accuracy: Float,
    /// Share of places found.
    pub found: Float,
}

/// The number of trainings [`run`] will do.
pub fn trainings(config: &Config) -> usize {
    (training::Kind::ALL.len() + training::OTHER_WEIGHTS.len()) * config.seeds
}

/// Runs everything; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Results {
    let trained = training::trainings(config, &done);
    let bonus = training::bonuses(config, &trained, &done);
    let snapshots = study::snapshots(config);
    let mut study: BTreeMap<String, Study> =
        snapshots.iter().map(|(name, at)| (name.clone(), study::study(config, at))).collect();
    let noise =
        snapshots.iter().map(|(name, at)| (name.clone(), study::noise(config, at))).collect();
    let (accuracy, found) = training::ceiling(config);
    let claims = claims(&study, &trained);
    for (_, study) in study.iter_mut().filter(|(name, _)| *name != "early") {
        study.forget_running(); // the figure shows the early ones
    }
    Results {
        example: study::example(),
        study,
        stages: study::stages(config),
        noise,
        trained,
        bonus,
        ceiling: Ceiling { accuracy, found },
        claims,
        measured: study::times(config),
    }
}

fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// To four digits after the point: what a page may quote, and small to store.
fn round(x: Float) -> Float {
    (x * 1e4).round() / 1e4
}
