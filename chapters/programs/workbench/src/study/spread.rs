//! A number measured with several seeds, and how numbers are rounded.

use serde::{Deserialize, Serialize};
use shared::Float;

/// A number measured with several seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest.
    pub lowest: f64,
    /// The largest.
    pub highest: f64,
    /// One for each seed.
    pub of_seeds: Vec<f64>,
}

impl Spread {
    /// Of one number a seed, [`rounded`].
    ///
    /// ```
    /// use workbench::study::Spread;
    /// let spread = Spread::of([1.0, 4.0, 1.0]);
    /// assert_eq!((spread.mean, spread.lowest, spread.highest), (2.0, 1.0, 4.0));
    /// ```
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Spread {
        Spread::by(rounded, numbers)
    }

    /// The same with another way of rounding.
    ///
    /// ```
    /// use workbench::study::{Spread, significant};
    /// assert_eq!(Spread::by(significant, [1.23456e-7, 0.0]).highest, 1.235e-7);
    /// ```
    pub fn by(round: fn(f64) -> f64, numbers: impl IntoIterator<Item = f64>) -> Spread {
        let of_seeds: Vec<f64> = numbers.into_iter().map(round).collect();
        assert!(!of_seeds.is_empty(), "a spread of no numbers");
        let mean = round(of_seeds.iter().sum::<f64>() / of_seeds.len() as f64);
        let lowest = of_seeds.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = of_seeds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Spread { mean, lowest, highest, of_seeds }
    }

    /// As a place of [`Chart::spread`](crate::figure::Chart::spread).
    pub fn at(&self, x: f64) -> (f64, f64, f64, f64) {
        (x, self.mean, self.lowest, self.highest)
    }
}

/// Four digits after the point: what pages quote, and small to store.
pub fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// Four digits from the first that is not 0: of numbers that may be very small.
pub fn significant(x: f64) -> f64 {
    format!("{x:.3e}").parse().expect("a number that was printed")
}

/// [`significant`], of a number of the mathematics.
pub fn short(x: Float) -> Float {
    significant(x.into()) as Float
}

/// The mean, in the precision of the mathematics.
pub fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// Seconds as minutes, to a tenth.
pub fn minutes(seconds: f64) -> f64 {
    (seconds / 6.0).round() / 10.0
}
