//! What can be set.

use crate::retrieval::World;
use shared::{Float, rng};

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
    /// The seed of stream `number`: see [`workbench::stream`].
    pub fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }

    /// The world of one repetition.
    pub fn world(&self, seed: u64) -> World {
        World::new(&mut rng(self.stream(seed)))
    }
}
