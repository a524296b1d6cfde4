//! What can be set.

use super::{heads, pronoun};

/// The chapter's experiment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often each training is repeated, with other data and other start values.
    pub seeds: usize,
    /// Training steps on the adding problem.
    pub steps: usize,
    /// Where and when times are measured: printed beside them.
    pub machine: String,
}

impl Config {
    /// The seed of stream `number`: see [`workbench::stream`].
    pub fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }

    /// The trainings about *it*, which have seeds enough of their own.
    pub(super) fn pronoun(&self) -> pronoun::Config {
        pronoun::Config { seed: self.seed, ..pronoun::Config::default() }
    }

    /// The trainings about heads, as many as the page shows.
    pub(super) fn heads(&self) -> heads::Config {
        heads::Config { seed: self.seed, ..heads::Config::default() }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 1, steps: 3000, machine: String::new() }
    }
}
