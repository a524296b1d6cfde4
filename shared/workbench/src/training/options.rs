//! How it is trained.

use super::schedule::Schedule;
use shared::{Float, Method};
use std::path::PathBuf;

/// How a task is trained.
#[derive(Clone, Debug)]
pub struct Options {
    /// Named in front of what is shown; "" for nothing.
    pub title: String,
    /// Passes over the data.
    pub epochs: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// The optimiser.
    pub method: Method,
    /// The longest gradient that is not shortened.
    pub clip: Option<Float>,
    /// Into how many parts a batch is cut, which may run at the same time. Part of the run, not of
    /// the machine: sums depend on it in their last digits.
    pub shards: usize,
    /// Of all the run's random numbers.
    pub seed: u64,
    /// Stop after so many evaluations without a better one, and in any case return the best
    /// parameters. `None`: return the last.
    pub patience: Option<usize>,
    /// Show a bar, and a line an epoch.
    pub progress: bool,
    /// The folder that receives checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// Save a checkpoint after so many seconds. (One is saved after each epoch in any case.)
    pub checkpoint_seconds: f64,
    /// Save a checkpoint after so many steps as well.
    pub checkpoint_steps: Option<u64>,
    /// Go on from the checkpoint in the folder, if there is one. Epochs, learning rate and clipping
    /// may be others than before.
    pub resume: bool,
}

impl Options {
    /// The options of one of several runs: with its name shown, and in a folder of its own below
    /// that of the checkpoints.
    pub fn part(&self, name: &str) -> Options {
        let checkpoint = self.checkpoint.as_ref().map(|folder| folder.join(name));
        Options { title: name.to_owned(), checkpoint, ..self.clone() }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            title: String::new(),
            epochs: 10,
            schedule: Schedule::constant(1e-3),
            method: Method::ADAM,
            clip: Some(1.0),
            shards: 2,
            seed: 0,
            patience: None,
            progress: false,
            checkpoint: None,
            checkpoint_seconds: 60.0,
            checkpoint_steps: None,
            resume: false,
        }
    }
}
