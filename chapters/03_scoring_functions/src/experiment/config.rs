//! What can be set.

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    /// How often each training is repeated, with other data and other start values.
    pub seeds: usize,
    pub steps: usize,
}

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
