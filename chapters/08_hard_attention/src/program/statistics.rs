//! Means, what two ways of training differ by, and numbers short enough to be quoted.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use std::ops::Index;
use workbench::study::{Bootstrap, Interval, Spread};

pub(super) use workbench::study::mean;

/// To four digits after the point: what a page may quote, and small to store.
pub(super) fn round(x: Float) -> Float {
    (x * 1e4).round() / 1e4
}

/// What is asked of numbers of several trainings, in the order of their seeds.
pub trait Seeds: Sized {
    fn minus(&self, those: &Self) -> Paired;
    fn only(&self, seeds: &[usize]) -> Self;
    fn map(&self, change: impl Fn(f64) -> f64) -> Self;
    /// Which exceed a threshold: 0 or 1 each.
    fn above(&self, threshold: f64) -> Self {
        self.map(|x| f64::from(u8::from(x > threshold)))
    }
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
}

/// Two ways of training, compared seed by seed: both had the same world and the same questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// By how much the first exceeds the second on average; the interval is that of the paired bootstrap
    /// over the seeds.
    #[serde(flatten)]
    pub interval: Interval,
    pub larger: usize,
    pub smaller: usize,
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

/// What several trainings found, by name, a number for each seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// How many seeds ended with an accuracy above 0.9.
    pub solved: usize,
    #[serde(flatten)]
    pub numbers: BTreeMap<String, Spread>,
}

impl Trained {
    /// Of numbers by name, seed by seed; the first says whether a training is solved.
    pub fn new<const N: usize>(runs: &[[(&str, f64); N]]) -> Trained {
        let over = |i: usize| Spread::of(runs.iter().map(|run| run[i].1));
        let solved = over(0).of_seeds.iter().filter(|right| **right > 0.9).count();
        Trained { solved, numbers: (0..N).map(|i| (runs[0][i].0.to_owned(), over(i))).collect() }
    }
}

impl Index<&str> for Trained {
    type Output = Spread;

    fn index(&self, name: &str) -> &Spread {
        &self.numbers[name]
    }
}

/// How probable it is that fair coins, one for each seed on which two trainings differ, fall at least as
/// unevenly as `larger` to `smaller`: the exact sign test with two sides (Dixon & Mood 1946). Seeds on
/// which both do the same do not count. Of shares of solved trainings it is the exact form of McNemar's
/// test (1947).
///
/// ```
/// use hard_attention::program::statistics::sign_test;
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

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BothSolved {
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

/// Mean and variance of each entry of a gradient that is drawn again and again.
pub struct Moments {
    pub draws: f64,
    pub sum: DMatrix<f64>,
    squares: DMatrix<f64>,
}

impl Moments {
    pub fn new(rows: usize, columns: usize) -> Moments {
        let zeros = DMatrix::zeros(rows, columns);
        Moments { draws: 0.0, sum: zeros.clone(), squares: zeros }
    }

    pub fn add(&mut self, one: DMatrix<f64>) {
        self.draws += 1.0;
        self.squares += one.component_mul(&one);
        self.sum += one;
    }

    pub fn mean(&self) -> DMatrix<f64> {
        &self.sum / self.draws
    }

    pub fn variance(&self) -> DMatrix<f64> {
        let mean = self.mean();
        let spread = &self.squares / self.draws - mean.component_mul(&mean);
        spread * (self.draws / (self.draws - 1.0))
    }
}
