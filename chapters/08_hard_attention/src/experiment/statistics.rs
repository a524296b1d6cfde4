//! Means, and numbers short enough to be quoted.

use seq2seq::bootstrap::{Bootstrap, Interval};
use serde::{Deserialize, Serialize};
use shared::{Float, rng};

pub(super) fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// To four digits after the point: what a page may quote, and small to store.
pub(super) fn round(x: Float) -> Float {
    (x * 1e4).round() / 1e4
}

/// A number of several trainings, in the order of their seeds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seeds {
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub lowest: f64,
    /// The largest.
    pub highest: f64,
    /// One each.
    pub of_seeds: Vec<f64>,
}

impl Seeds {
    /// Of at least one training.
    pub fn new(of_seeds: impl IntoIterator<Item = f64>) -> Seeds {
        let of_seeds: Vec<f64> = of_seeds.into_iter().map(short).collect();
        Seeds {
            mean: short(of_seeds.iter().sum::<f64>() / of_seeds.len() as f64),
            lowest: of_seeds.iter().copied().fold(f64::INFINITY, f64::min),
            highest: of_seeds.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            of_seeds,
        }
    }

    /// By how much these exceed those on average, the same seeds in the same order, and its interval by
    /// the paired bootstrap over the seeds.
    pub fn minus(&self, those: &Seeds) -> Interval {
        assert_eq!(self.of_seeds.len(), those.of_seeds.len(), "not the same seeds");
        let differences: Vec<f64> =
            self.of_seeds.iter().zip(&those.of_seeds).map(|(a, b)| a - b).collect();
        let mean = |drawn: &[usize]| {
            drawn.iter().map(|i| differences[*i]).sum::<f64>() / drawn.len() as f64
        };
        let Interval { estimate, low, high } =
            Bootstrap::default().of(differences.len(), &mut rng(0), mean);
        Interval { estimate: short(estimate), low: short(low), high: short(high) }
    }

    /// All of them multiplied by a number.
    pub fn times(&self, factor: f64) -> Seeds {
        Seeds::new(self.of_seeds.iter().map(|x| x * factor))
    }

    /// How many exceed a threshold, as a share of them one by one: 0 or 1 each.
    pub fn above(&self, threshold: f64) -> Seeds {
        Seeds::new(self.of_seeds.iter().map(|x| f64::from(u8::from(*x > threshold))))
    }

    /// How many exceed a threshold.
    pub fn count_above(&self, threshold: f64) -> usize {
        self.of_seeds.iter().filter(|x| **x > threshold).count()
    }
}

/// Whether a difference is positive: decided when its interval does not contain zero.
pub fn positive(difference: &Interval) -> Option<bool> {
    match (difference.low > 0.0, difference.high < 0.0) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn short(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
