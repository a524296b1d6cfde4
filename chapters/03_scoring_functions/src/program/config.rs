//! What can be set.

use workbench::program::within;

#[derive(clap::Args, Clone, Debug)]
pub struct Config {
    #[arg(skip)]
    pub seed: u64,
    /// How often each training is repeated with other data and initial values
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds,
          value_parser = within(1..=1000))]
    pub seeds: usize,
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps,
          value_parser = within(SAMPLES as u64..=1_000_000))]
    pub steps: usize,
}

/// How often a learning curve is sampled.
pub const SAMPLES: usize = 40;

impl Config {
    pub(super) fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 5, steps: 400 }
    }
}
