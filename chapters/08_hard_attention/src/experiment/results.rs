//! Everything the page quotes.

use super::study::{Example, Noise, Stage, Study};
use super::training::Learned;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;

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
