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
    /// The spread of one number a seed, [`rounded`].
    ///
    /// ```
    /// use workbench::statistics::Spread;
    /// let spread = Spread::of([1.0, 4.0, 1.0]);
    /// assert_eq!((spread.mean, spread.lowest, spread.highest), (2.0, 1.0, 4.0));
    /// ```
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Spread {
        Spread::by(rounded, numbers)
    }

    /// The same with another way of rounding.
    ///
    /// ```
    /// use workbench::statistics::{Spread, significant};
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

    /// The spread as a place of [`Chart::spread`](crate::figure::Chart::spread).
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

/// The mean, in the precision of the mathematics.
pub fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// Whether these numbers are smaller than those, a number for each seed: decided when the two ranges
/// do not overlap.
///
/// ```
/// use workbench::statistics::smaller;
/// assert_eq!(smaller(&[1.0, 2.0], &[3.0, 4.0]), Some(true));
/// assert_eq!(smaller(&[3.0, 4.0], &[1.0, 2.0]), Some(false));
/// assert_eq!(smaller(&[1.0, 3.0], &[2.0, 4.0]), None);
/// ```
pub fn smaller(these: &[f64], those: &[f64]) -> Option<bool> {
    let all = |these: &[f64], those: &[f64]| these.iter().all(|a| those.iter().all(|b| a < b));
    match (all(these, those), all(those, these)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
