//! What can be set.

use crate::retrieval::World;
use shared::{Float, rng};

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    pub seeds: usize,
    pub steps: usize,
    pub draws: usize,
    pub episodes: usize,
    pub learning_rate: Float,
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
    pub fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }

    pub fn world(&self, seed: u64) -> World {
        World::new(&mut rng(self.stream(seed)))
    }
}
