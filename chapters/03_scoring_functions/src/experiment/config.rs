//! What can be set.

/// The chapter's experiment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often each training is repeated, with other data and other start values.
    pub seeds: usize,
    /// Training steps.
    pub steps: usize,
}

impl Config {
    /// The seed of stream `number`: see [`workbench::stream`].
    pub(super) fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 5, steps: 400 }
    }
}
