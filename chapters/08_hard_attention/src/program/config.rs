//! What can be set.

use crate::retrieval::World;
use shared::{Float, rng};
use workbench::program::within;

#[derive(clap::Args, Clone, Debug)]
pub struct Config {
    #[arg(skip)]
    pub seed: u64,
    /// How often each training is repeated, in another world with other data
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds,
          value_parser = within(1..=1000))]
    pub seeds: usize,
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps,
          value_parser = within(SAMPLES as u64..=1_000_000))]
    pub steps: usize,
    /// Estimates that are averaged
    #[arg(long, value_name = "N", default_value_t = Config::default().draws,
          value_parser = within(100..=10_000_000))]
    pub draws: usize,
    /// Weight of the entropy bonus
    #[arg(long, value_name = "λ", default_value_t = Config::default().lambda,
          value_parser = number)]
    pub lambda: Float,
    /// Episodes in a batch, sixteen questions each
    #[arg(long, value_name = "N", default_value_t = Config::default().episodes,
          value_parser = within(1..=1000))]
    pub episodes: usize,
    /// Step size of Adam
    #[arg(long, value_name = "η", default_value_t = Config::default().learning_rate,
          value_parser = number)]
    pub learning_rate: Float,
}

fn number(text: &str) -> Result<Float, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number as Float == 0.0 => {
            Err("it is too small for single precision".into())
        }
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number as Float),
        _ => Err("it must be a number from 0 to 100".into()),
    }
}

/// How often a learning curve is sampled.
pub const SAMPLES: usize = 40;

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
