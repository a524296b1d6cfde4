//! Training in which a point may attend to itself.

use super::config::Config;
use super::descents::arrived;
use super::fits::fit;
use crate::{Sees, Step, descend, learn, squared_error};
use serde::{Deserialize, Serialize};
use shared::Float;

/// The textbook's training, but every point sees itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Itself {
    /// After 5 epochs.
    pub epochs_5: Memory,
    /// After 500.
    pub epochs_500: Memory,
    /// After 50,000.
    pub epochs_50000: Memory,
    /// In ln w on ln L instead, until no step lowers the loss or it is zero.
    pub logarithms: Memory,
    /// The steps that took.
    pub logarithms_steps: usize,
}

/// How far it went.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// The width.
    pub w: Float,
    /// The loss it sees, in which every point knows its own value.
    pub loss: Float,
    /// The mean squared distance from the truth.
    pub distance_from_truth: f64,
}

/// How far training goes when a point sees itself.
pub(super) fn measure(config: &Config, start: Float, x: &[Float], y: &[Float]) -> Itself {
    let loss = |w| squared_error(x, y, w, Sees::Everyone);
    let path = descend(start, config.learning_rate, 50_000, loss);
    let quick = learn(start, loss);
    let memory = |step: &Step| Memory {
        w: step.w,
        loss: step.loss,
        distance_from_truth: fit(step.w, x, y).distance_from_truth,
    };
    Itself {
        epochs_5: memory(&path[5]),
        epochs_500: memory(&path[500]),
        epochs_50000: memory(&path[50_000]),
        logarithms: memory(&arrived(&quick)),
        logarithms_steps: quick.len() - 1,
    }
}
