//! Chance that keeps account of itself.

use rand::RngExt;
use shared::Rng;

/// A generator that counts how much it has decided.
///
/// A choice among `n` equally likely ways is worth `ln n` nats. A text follows from the choices made
/// for it, so their sum is `−ln` of the probability of one way to it: on the average over texts, an
/// upper bound of the text's entropy.
pub(super) struct Dice {
    rng: Rng,
    /// The sum so far, in nats.
    pub nats: f64,
}

impl Dice {
    pub fn new(rng: Rng) -> Dice {
        Dice { rng, nats: 0.0 }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.nats += (n as f64).ln();
        self.rng.random_range(0..n)
    }

    /// True with probability `p`, which lies between 0 and 1 and is neither.
    pub fn chance(&mut self, p: f64) -> bool {
        let yes = self.rng.random_bool(p);
        self.nats -= if yes { p.ln() } else { (1.0 - p).ln() };
        yes
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
