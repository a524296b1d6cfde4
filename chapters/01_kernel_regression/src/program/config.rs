//! What can be set.

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    pub points: usize,
    pub sizes: Vec<usize>,
    pub lookups: usize,
}

impl Default for Config {
    fn default() -> Config {
        let sizes = vec![100, 316, 1000, 3162, 10_000, 31_623, 100_000];
        Config { seed: 0, points: 50, sizes, lookups: 40_000 }
    }
}

impl Config {
    /// How often [`run`](super::run) calls `step`.
    pub fn steps(&self) -> u64 {
        self.sizes.iter().map(|n| sets(*n) as u64).sum()
    }
}

/// Sets of points to average over: many of the small ones, whose errors vary most.
pub(super) fn sets(n: usize) -> usize {
    (1_000_000 / n).clamp(20, 400)
}
