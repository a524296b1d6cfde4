//! Is a difference of BLEU more than chance? The sentences of the test are drawn again and again.

use rand::RngExt;
use rayon::prelude::*;
use seq2seq::bleu::corpus_bleu;
use serde::{Deserialize, Serialize};
use shared::rng;

/// A number, and the range in which 95 of 100 resamplings find it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// On the sentences as they are.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How often the sentences are drawn.
const RESAMPLINGS: u64 = 200;

/// By how much the BLEU of `a` exceeds that of `b` (Koehn 2004, section 4): both are scored on the
/// same sentences, drawn from the test with replacement. A system is the translations of every
/// seed; its score is the mean over the seeds. The interval tells how far the difference would move
/// with other sentences, not with other seeds.
///
/// # Panics
/// When a system has no seed.
pub fn paired_bootstrap(
    a: &[Vec<Vec<String>>],
    b: &[Vec<Vec<String>>],
    references: &[Vec<String>],
    seed: u64,
) -> Interval {
    let difference = |drawn: &[usize]| {
        let references: Vec<_> = drawn.iter().map(|&i| references[i].clone()).collect();
        let bleu = |system: &[Vec<Vec<String>>]| {
            let of = |seed: &Vec<Vec<String>>| {
                let words: Vec<_> = drawn.iter().map(|&i| seed[i].clone()).collect();
                corpus_bleu(&words, &references)
            };
            system.iter().map(of).sum::<f64>() / system.len() as f64
        };
        bleu(a) - bleu(b)
    };
    let n = references.len();
    let again = |number: u64| {
        let mut rng = rng(seed.wrapping_mul(RESAMPLINGS).wrapping_add(number));
        difference(&(0..n).map(|_| rng.random_range(0..n)).collect::<Vec<_>>())
    };
    let mut found: Vec<f64> = (0..RESAMPLINGS).into_par_iter().map(again).collect();
    found.sort_by(f64::total_cmp);
    let outside = RESAMPLINGS as usize / 40; // 2.5 % on either side
    let [estimate, low, high] =
        [difference(&(0..n).collect::<Vec<_>>()), found[outside], found[found.len() - 1 - outside]]
            .map(|x| (x * 1e4).round() / 1e4);
    Interval { estimate, low, high }
}
