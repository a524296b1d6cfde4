//! How much of a score is chance? Confidence intervals by drawing the test again (Koehn 2004).

use super::spread::rounded;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// A number with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The number of the sentences as they are.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval with as many digits as are read.
    pub fn rounded(self) -> Interval {
        self.map(rounded)
    }

    /// The number and both ends, each changed in the same way.
    pub fn map(self, change: impl Fn(f64) -> f64) -> Interval {
        let [estimate, low, high] = [self.estimate, self.low, self.high].map(change);
        Interval { estimate, low, high }
    }

    /// Whether 0 lies outside: of a difference, whether its sign is decided at this level.
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Whether it is above 0, where that is decided.
    pub fn is_positive(&self) -> Option<bool> {
        self.excludes_zero().then_some(self.low > 0.0)
    }
}

/// How often the test is drawn, and how much of what comes out an interval has to cover.
///
/// ```
/// use workbench::statistics::Bootstrap;
/// assert_eq!(Bootstrap::default(), Bootstrap { resamplings: 1000, level: 0.95 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How often.
    pub resamplings: usize,
    /// The share of the resamplings inside: 0.95 leaves 2.5 % on either side.
    pub level: f64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { resamplings: 1000, level: 0.95 }
    }
}

/// What is counted of a sentence, or of whatever is drawn: enough for the score of any of them together,
/// so that no sentence is looked at again.
pub trait Tally {
    /// The score of some of them, each as often as it was drawn.
    fn score<'a>(drawn: impl Iterator<Item = &'a Self>) -> f64
    where
        Self: 'a;
}

/// How many are right, of how many: their score is the share.
impl Tally for (usize, usize) {
    fn score<'a>(drawn: impl Iterator<Item = &'a Self>) -> f64 {
        let (right, all) = drawn.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if all == 0 { 0.0 } else { right as f64 / all as f64 }
    }
}

impl Bootstrap {
    /// The score of a system with its interval (Koehn 2004): as many sentences as the
    /// test has are drawn from it, with replacement, again and again. The interval leaves out the
    /// lowest and the highest of the scores.
    ///
    /// A system is what was counted of every sentence for each of its seeds; the sentences are the same,
    /// in the same order, whatever the seed, and the score is the mean over the seeds.
    ///
    /// What it says: how far the score would move had the test other sentences of the same kind.
    /// It takes sentences to be drawn independently and the test to be large. What it does not
    /// say: how far the score would move had the system been trained with other seeds – the seeds
    /// stay as they are, and only their mean is taken.
    ///
    /// ```
    /// use workbench::statistics::Bootstrap;
    ///
    /// // Of 100 sentences 80 are right: with other sentences, 70 or 90 could have been.
    /// let sentences: Vec<(usize, usize)> = (0..100).map(|i| (usize::from(i < 80), 1)).collect();
    /// let found = Bootstrap::default().score(&[sentences], &mut shared::rng(0));
    /// assert_eq!(found.estimate, 0.8);
    /// assert!((0.70..0.76).contains(&found.low) && (0.84..0.90).contains(&found.high), "{found:?}");
    ///
    /// // All are right: nothing can come out but 1.
    /// let found = Bootstrap::default().score(&[vec![(1, 1); 9]], &mut shared::rng(0));
    /// assert_eq!((found.low, found.high), (1.0, 1.0));
    /// ```
    ///
    /// # Panics
    /// When a system has no seed, two of its seeds have not the same number of sentences, there is
    /// no sentence or no resampling, or the level is not between 0 and 1.
    pub fn score<T: Tally>(&self, system: &[Vec<T>], rng: &mut impl Rng) -> Interval {
        self.of(sentences(&[system]), rng, |drawn| score(system, drawn))
    }

    /// The difference by which the score of `a` exceeds that of `b`, with its interval (Koehn 2004: *paired*
    /// resampling). Both are scored on the same drawn sentences, a pair each time: hard sentences are hard for
    /// both, and this part of the chance cancels. Whether the two intervals of
    /// [`score`](Bootstrap::score) overlap is no substitute.
    ///
    /// ```
    /// use workbench::statistics::Bootstrap;
    /// let system = |right: usize| -> Vec<_> { (0..100).map(|i| (usize::from(i < right), 1)).collect() };
    /// let rng = || shared::rng(0);
    /// let (a, b) = ([system(80)], [system(70)]);
    /// let [of_a, of_b] = [&a, &b].map(|system| Bootstrap::default().score(system, &mut rng()));
    /// assert!(of_a.low < of_b.high); // they overlap, and yet
    /// assert!(Bootstrap::default().difference(&a, &b, &mut rng()).excludes_zero());
    /// let same = Bootstrap::default().difference(&a, &a, &mut rng());
    /// assert_eq!((same.low, same.estimate, same.high), (0.0, 0.0, 0.0));
    /// ```
    ///
    /// # Panics
    /// Those of [`score`](Bootstrap::score), and when `a` and `b` have not the same number of sentences.
    pub fn difference<T: Tally>(&self, a: &[Vec<T>], b: &[Vec<T>], rng: &mut impl Rng) -> Interval {
        self.of(sentences(&[a, b]), rng, |drawn| score(a, drawn) - score(b, drawn))
    }

    // ANCHOR: bootstrap
    /// The interval of any number that `n` examples have: `number` is given which of them were drawn, at
    /// first each of them once.
    ///
    /// # Panics
    /// When there is no example or no resampling, or the level is not between 0 and 1.
    pub fn of(&self, n: usize, rng: &mut impl Rng, number: impl Fn(&[usize]) -> f64) -> Interval {
        let Bootstrap { resamplings, level } = *self;
        assert!(n > 0, "no example");
        assert!(resamplings > 0, "no resampling");
        assert!(level > 0.0 && level < 1.0, "a level of {level}: not between 0 and 1");
        let mut drawn: Vec<usize> = (0..n).collect(); // each example once
        let estimate = number(&drawn);
        let mut found = Vec::new();
        for _ in 0..resamplings {
            drawn.fill_with(|| rng.random_range(0..n));
            found.push(number(&drawn));
        }
        found.sort_by(f64::total_cmp);
        let outside = ((1.0 - level) / 2.0 * resamplings as f64).round() as usize; // on either side
        let outside = outside.min((resamplings - 1) / 2);
        Interval { estimate, low: found[outside], high: found[resamplings - 1 - outside] }
    }
    // ANCHOR_END: bootstrap
}

/// The number of sentences, the same for every seed of every system.
fn sentences<T>(systems: &[&[Vec<T>]]) -> usize {
    assert!(systems.iter().all(|system| !system.is_empty()), "a system without a seed");
    let lengths: Vec<usize> =
        systems.iter().flat_map(|system| system.iter().map(Vec::len)).collect();
    assert!(lengths.iter().all(|n| *n == lengths[0]), "{lengths:?} sentences: not the same ones");
    assert!(lengths[0] > 0, "no sentence");
    lengths[0]
}

/// The mean over the seeds of the score of the drawn sentences.
fn score<T: Tally>(system: &[Vec<T>], drawn: &[usize]) -> f64 {
    let of_seeds = system.iter().map(|tallies| T::score(drawn.iter().map(|&i| &tallies[i])));
    of_seeds.sum::<f64>() / system.len() as f64
}
