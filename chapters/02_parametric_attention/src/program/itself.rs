//! Training in which a point may attend to itself.

use super::config::Config;
use super::descents::arrived;
use super::fits::fit;
use crate::{Sees, Step, descend, learn, squared_error};
use serde::{Deserialize, Serialize};
use shared::Float;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Itself {
    pub epochs_5: Memory,
    pub epochs_500: Memory,
    pub epochs_50000: Memory,
    pub logarithms: Memory,
    pub logarithms_steps: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    pub w: Float,
    pub loss: Float,
    pub distance_from_truth: f64,
}

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
