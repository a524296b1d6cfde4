//! One number for each seed, and what is said of all.

use serde::{Deserialize, Serialize};
use shared::Float;

/// What several trainings gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Over the seeds.
    pub mean: Float,
    /// The lowest.
    pub lowest: Float,
    /// The highest.
    pub highest: Float,
    /// By seed.
    pub each: Vec<Float>,
}

impl Spread {
    /// Of one number a seed.
    ///
    /// ```
    /// let spread = self_attention::experiment::spread::Spread::of([0.5, 1.0]);
    /// assert_eq!((spread.mean, spread.lowest, spread.highest), (0.75, 0.5, 1.0));
    /// ```
    ///
    /// # Panics
    /// When there is none.
    pub fn of(numbers: impl IntoIterator<Item = Float>) -> Spread {
        let each: Vec<Float> = numbers.into_iter().map(short).collect();
        assert!(!each.is_empty(), "a spread of no numbers");
        Spread {
            mean: short(each.iter().sum::<Float>() / each.len() as Float),
            lowest: each.iter().copied().fold(Float::INFINITY, Float::min),
            highest: each.iter().copied().fold(Float::NEG_INFINITY, Float::max),
            each,
        }
    }

    /// As claims compare it.
    pub fn numbers(&self) -> Vec<f64> {
        self.each.iter().map(|number| f64::from(*number)).collect()
    }
}

/// Four digits: results are read by people.
pub fn short(x: Float) -> Float {
    format!("{x:.3e}").parse().expect("a number that was printed")
}

/// What share of some things is so.
pub fn share(so: impl IntoIterator<Item = bool>) -> Float {
    let (mut count, mut all) = (0, 0);
    for so in so {
        count += usize::from(so);
        all += 1;
    }
    count as Float / all.max(1) as Float
}
