//! What can be set.

use serde::{Deserialize, Serialize};
use shared::Float;

/// What can be set. The default is the experiment of the page.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// Training points; the textbook has 50.
    pub points: usize,
    /// η of the textbook's training.
    pub learning_rate: Float,
    /// Its steps.
    pub epochs: usize,
    /// A rate that does not leap over the valley.
    pub small_rate: Float,
    /// Further data sets on which the first step is measured.
    pub data_sets: usize,
    /// Training points of the experiment with two inputs.
    pub plane_points: usize,
    /// Its steps.
    pub plane_steps: usize,
    /// How far the relevant direction is turned in its second half, in degrees.
    pub angle: Float,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            points: 50,
            learning_rate: 0.5,
            epochs: 5,
            small_rate: 0.01,
            data_sets: 200,
            plane_points: 200,
            plane_steps: 1500,
            angle: 30.0,
        }
    }
}

impl Config {
    /// The number of the textbook's steps, in a word where the page has one.
    pub(super) fn epochs_in_words(&self) -> String {
        if self.epochs == 5 { "five".to_owned() } else { self.epochs.to_string() }
    }
}
