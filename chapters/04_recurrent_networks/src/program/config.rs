//! What can be set.

use super::adding::LOOK;
use workbench::program::within;

#[derive(clap::Args, Clone, Debug)]
pub struct Config {
    #[arg(skip)]
    pub seed: u64,
    /// How often each training is repeated with other data and initial values; the page shows 3
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds,
          value_parser = within(1..=100))]
    pub seeds: usize,
    /// Training steps on the adding problem, rounded down to hundreds
    #[arg(long, value_name = "N", default_value_t = Config::default().steps,
          value_parser = within(LOOK as u64..=1_000_000))]
    pub steps: usize,
    /// Epochs over the sentences of the apple task
    #[arg(long, value_name = "N", default_value_t = Config::default().epochs,
          value_parser = within(1..=1000))]
    pub epochs: usize,
}

impl Config {
    pub(super) fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 1, steps: 3000, epochs: 5 }
    }
}
