//! What can be set.

use serde::{Deserialize, Serialize};
use shared::Float;

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Config {
    pub seed: u64,
    /// Training points; the textbook has 50.
    pub points: usize,
    pub learning_rate: Float,
    pub epochs: usize,
    pub small_rate: Float,
    pub data_sets: usize,
    pub plane_points: usize,
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
    pub(super) fn epochs_in_words(&self) -> String {
        if self.epochs == 5 { "five".to_owned() } else { self.epochs.to_string() }
    }
}
