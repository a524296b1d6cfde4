//! Means, what two ways of training differ by, and numbers short enough to be quoted.

use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread};

pub(super) fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

/// To four digits after the point: what a page may quote, and small to store.
pub(super) fn round(x: Float) -> Float {
    (x * 1e4).round() / 1e4
}

/// What is asked of numbers of several trainings, in the order of their seeds.
pub trait Seeds: Sized {
    /// These against those, the same seeds in the same order.
    fn minus(&self, those: &Self) -> Paired;
    /// Of these seeds alone.
    fn only(&self, seeds: &[usize]) -> Self;
    /// All of them changed in the same way.
    fn map(&self, change: impl Fn(f64) -> f64) -> Self;
    /// Which exceed a threshold: 0 or 1 each.
    fn above(&self, threshold: f64) -> Self {
        self.map(|x| f64::from(u8::from(x > threshold)))
    }
    /// How many exceed a threshold.
    fn count_above(&self, threshold: f64) -> usize;
}

impl Seeds for Spread {
    fn minus(&self, those: &Spread) -> Paired {
        assert_eq!(self.of_seeds.len(), those.of_seeds.len(), "not the same seeds");
        let differences: Vec<f64> =
            self.of_seeds.iter().zip(&those.of_seeds).map(|(a, b)| a - b).collect();
        let mean = |drawn: &[usize]| {
            drawn.iter().map(|i| differences[*i]).sum::<f64>() / drawn.len() as f64
        };
        let interval = Bootstrap::default().of(differences.len(), &mut rng(0), mean).rounded();
        let count = |is: fn(&f64) -> bool| differences.iter().filter(|x| is(x)).count();
        let (larger, smaller) = (count(|x| *x > 0.0), count(|x| *x < 0.0));
        Paired { interval, larger, smaller, p: sign_test(larger, smaller) }
    }

    fn only(&self, seeds: &[usize]) -> Spread {
        Spread::of(seeds.iter().map(|i| self.of_seeds[*i]))
    }

    fn map(&self, change: impl Fn(f64) -> f64) -> Spread {
        Spread::of(self.of_seeds.iter().map(|x| change(*x)))
    }

    fn count_above(&self, threshold: f64) -> usize {
        self.of_seeds.iter().filter(|x| **x > threshold).count()
    }
}

/// Two ways of training, compared seed by seed: both had the same world and the same questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// By how much the first exceeds the second on average; the interval is that of the paired bootstrap
    /// over the seeds.
    #[serde(flatten)]
    pub interval: Interval,
    /// On how many seeds the first is larger.
    pub larger: usize,
    /// On how many it is smaller.
    pub smaller: usize,
    /// Of the sign test.
    pub p: f64,
}

impl Paired {
    /// Whether the first is larger on average: decided when the interval does not contain zero.
    pub fn more(&self) -> Option<bool> {
        self.interval.is_positive()
    }

    /// Whether the first solves more trainings: decided when the sign test decides it as well.
    ///
    /// Of trainings that are solved or not, the bootstrap draws the few seeds again on which the two
    /// differ. Where these all point one way, none of its draws can point the other way.
    pub fn more_often(&self) -> Option<bool> {
        self.more().filter(|_| self.p < 0.05)
    }
}

// ANCHOR: sign_test
/// How probable it is that fair coins, one for each seed on which two trainings differ, fall at least as
/// unevenly as `larger` to `smaller`: the exact sign test with two sides (Dixon & Mood 1946). Seeds on
/// which both do the same do not count. Of shares of solved trainings it is the exact form of McNemar's
/// test (1947).
///
/// ```
/// use hard_attention::experiment::statistics::sign_test;
/// assert_eq!(sign_test(1, 0), 1.0);
/// assert_eq!(sign_test(2, 1), 1.0);
/// assert_eq!(sign_test(3, 0), 0.25); // 2 of the 2³ ways in which three coins fall
/// assert_eq!(sign_test(0, 4), 0.125);
/// assert_eq!(sign_test(1, 5), 14.0 / 64.0); // 2 · (1 + 6) of 2⁶
/// assert_eq!(sign_test(0, 0), 1.0);
/// ```
pub fn sign_test(larger: usize, smaller: usize) -> f64 {
    let n = larger + smaller;
    let ways = |k: usize| (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64);
    let uneven: f64 = (0..=larger.min(smaller)).map(ways).sum();
    (2.0 * uneven / 2.0_f64.powi(n as i32)).min(1.0)
}
// ANCHOR_END: sign_test

/// What two ways of training differ by where both solve the task.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BothSolved {
    /// How many seeds these are.
    pub seeds: usize,
    /// By what is compared; nothing where there is no such seed.
    pub differences: BTreeMap<String, Paired>,
}

impl BothSolved {
    /// `accuracy` of the two ways says which seeds both solve; `compared` are numbers of the first and of
    /// the second, by name.
    pub fn new<'a>(
        accuracy: [&Spread; 2],
        compared: impl IntoIterator<Item = (&'a str, [Spread; 2])>,
    ) -> BothSolved {
        let solved = |seeds: &Spread, i: usize| seeds.of_seeds[i] > 0.9;
        let both: Vec<usize> = (0..accuracy[0].of_seeds.len())
            .filter(|i| accuracy.iter().all(|seeds| solved(seeds, *i)))
            .collect();
        let of = |(name, [these, those]): (&str, [Spread; 2])| {
            (name.to_owned(), these.only(&both).minus(&those.only(&both)))
        };
        let some = compared.into_iter().filter(|_| !both.is_empty());
        BothSolved { seeds: both.len(), differences: some.map(of).collect() }
    }
}
