//! How much of a BLEU is chance? Confidence intervals by drawing the test again (Koehn 2004).

use crate::bleu::Counts;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// A number with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Of the sentences as they are.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether 0 lies outside: of a difference, whether its sign is decided at this level.
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// How often the test is drawn, and how much of what comes out an interval has to cover.
///
/// ```
/// use seq2seq::bootstrap::Bootstrap;
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

/// A system: for each of its seeds, the counts of every sentence. The sentences are the same, in
/// the same order, whatever the seed. Its score is the mean over its seeds of the corpus's BLEU.
pub type System = [Vec<Counts>];

impl Bootstrap {
    // ANCHOR: bootstrap
    /// The score of a system with its interval (Koehn 2004): as many sentences as the
    /// test has are drawn from it, with replacement, again and again. The interval leaves out the
    /// lowest and the highest of the scores.
    ///
    /// What it tells: how far the score would move had the test other sentences of the same kind.
    /// It takes sentences to be drawn independently and the test to be large. What it does not
    /// tell: how far the score would move had the system been trained with other seeds – the seeds
    /// stay as they are, and only their mean is taken.
    ///
    /// ```
    /// use seq2seq::{bleu::Counts, bootstrap::Bootstrap};
    /// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let right = words("le chat noir dort");
    /// let wrong = words("le chat blanc dort");
    /// let counts = |candidate: &[String]| Counts::of(candidate, &[right.clone()]);
    ///
    /// // Of 100 translations 80 are right: with other sentences, 70 or 90 could have been.
    /// let sentences: Vec<_> = (0..100).map(|i| counts(if i < 80 { &right } else { &wrong })).collect();
    /// let found = Bootstrap::default().score(&[sentences], &mut shared::rng(0));
    /// assert!(found.low < found.estimate && found.estimate < found.high);
    /// assert!(found.low > 65.0 && found.high < 92.0, "{found:?}");
    ///
    /// // All are right: nothing can come out but 100.
    /// let found = Bootstrap::default().score(&[vec![counts(&right); 9]], &mut shared::rng(0));
    /// assert!((found.low - 100.0).abs() < 1e-9 && found.low == found.high);
    /// ```
    ///
    /// # Panics
    /// When a system has no seed, two of its seeds have not the same number of sentences, there is
    /// no sentence or no resampling, or the level is not between 0 and 1.
    pub fn score(&self, system: &System, rng: &mut impl Rng) -> Interval {
        self.interval(&[system], rng, |[score]| score)
    }

    /// By how much the score of `a` exceeds that of `b`, with its interval (Koehn 2004: *paired*
    /// resampling). Both are scored on the same drawn sentences, a pair each time: hard sentences are hard for
    /// both, and this part of the chance cancels. Whether the two intervals of
    /// [`score`](Bootstrap::score) overlap is no substitute.
    ///
    /// ```
    /// use seq2seq::{bleu::Counts, bootstrap::Bootstrap};
    /// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let reference = words("le chat noir dort sur le lit");
    /// let other = words("le chat noir dort sur mon lit");
    /// let counts = |candidate: &[String]| Counts::of(candidate, &[reference.clone()]);
    /// let system = |right: usize| -> Vec<_> {
    ///     (0..100).map(|i| counts(if i < right { &reference } else { &other })).collect()
    /// };
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
    /// As [`score`](Bootstrap::score), and when `a` and `b` have not the same number of sentences.
    pub fn difference(&self, a: &System, b: &System, rng: &mut impl Rng) -> Interval {
        self.interval(&[a, b], rng, |[a, b]| a - b)
    }

    /// The interval of a number that is computed from the scores of N systems.
    fn interval<const N: usize>(
        &self,
        systems: &[&System; N],
        rng: &mut impl Rng,
        number: impl Fn([f64; N]) -> f64,
    ) -> Interval {
        let of = |drawn: &[usize]| number(systems.map(|system| score(system, drawn)));
        self.of(sentences(systems), rng, of)
    }

    /// The interval of any number that `n` examples have: `number` is told which of them were drawn, at
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
        let mut again = || {
            drawn.fill_with(|| rng.random_range(0..n));
            number(&drawn)
        };
        let mut found: Vec<f64> = (0..resamplings).map(|_| again()).collect();
        found.sort_by(f64::total_cmp);
        let outside = ((1.0 - level) / 2.0 * resamplings as f64).round() as usize; // on either side
        let outside = outside.min((resamplings - 1) / 2);
        Interval { estimate, low: found[outside], high: found[resamplings - 1 - outside] }
    }
    // ANCHOR_END: bootstrap
}

/// The number of sentences, the same for every seed of every system.
fn sentences(systems: &[&System]) -> usize {
    assert!(systems.iter().all(|system| !system.is_empty()), "a system without a seed");
    let lengths: Vec<usize> =
        systems.iter().flat_map(|system| system.iter().map(Vec::len)).collect();
    assert!(lengths.iter().all(|n| *n == lengths[0]), "{lengths:?} sentences: not the same ones");
    assert!(lengths[0] > 0, "no sentence");
    lengths[0]
}

/// The mean over the seeds of BLEU on the drawn sentences. Only sums of counts are needed: no
/// sentence is looked at again.
fn score(system: &System, drawn: &[usize]) -> f64 {
    let bleu = |counts: &Vec<Counts>| {
        let mut sum = Counts::default();
        drawn.iter().for_each(|&i| sum += &counts[i]);
        sum.bleu()
    };
    system.iter().map(bleu).sum::<f64>() / system.len() as f64
}
