//! What can be set.

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
    /// The seed of stream `number`: see [`shared::stream`].
    pub fn stream(&self, number: u64) -> u64 {
        shared::stream(self.seed, number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 1, steps: 3000, machine: String::new() }
    }
}
