//! chrF: what two texts have in common, letter by letter.

use std::collections::HashMap;
use std::ops::AddAssign;

/// The longest run of letters that counts.
const LONGEST: usize = 6;

/// How many times as much a letter that is missing counts as one that is too many.
const BETA: f64 = 2.0;

/// chrF of a corpus in per cent, one reference a candidate (Popović 2015): runs of one to six
/// letters, blanks left out,
///
/// `100 · (1 + β²) · P · R / (β² · P + R)`, β = 2,
///
/// P is the mean over the lengths of the share of the candidates' runs that stand in their reference
/// too, each counted at most as often as there; R that of the references' runs which the candidates
/// have. Lengths that one of the two sides has no run of are left out of both means.
///
/// Equal to sacreBLEU's (`chrF2`) on the same words.
///
/// ```
/// use seq2seq::chrf::corpus_chrf;
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let (near, far) = ([words("les chats dorment")], [words("les livres brûlent")]);
/// let reference = [words("le chat dort")];
/// let (near, far) = (corpus_chrf(&near, &reference), corpus_chrf(&far, &reference));
/// assert!((near - 32.8).abs() < 0.1 && (far - 7.6).abs() < 0.1); // no word is right in either
/// assert!((corpus_chrf(&reference, &reference) - 100.0).abs() < 1e-9);
/// ```
///
/// # Panics
/// When there are not as many references as candidates.
pub fn corpus_chrf(candidates: &[Vec<String>], references: &[Vec<String>]) -> f64 {
    let (c, r) = (candidates.len(), references.len());
    assert!(c == r, "{c} candidates, but {r} references");
    let mut sum = LetterCounts::default();
    candidates.iter().zip(references).for_each(|(c, r)| sum += &LetterCounts::of(c, r));
    sum.chrf()
}

/// What chrF counts, of a sentence or summed over a corpus; entry n − 1 is about runs of n letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterCounts {
    /// Runs of the candidate that stand in the reference, too.
    pub matches: [usize; LONGEST],
    /// Runs of the candidate.
    pub candidate: [usize; LONGEST],
    /// Runs of the reference.
    pub reference: [usize; LONGEST],
}

impl LetterCounts {
    /// The counts of a sentence with its reference.
    pub fn of(candidate: &[String], reference: &[String]) -> LetterCounts {
        let letters = |words: &[String]| words.concat().chars().collect::<Vec<char>>();
        let (candidate, reference) = (letters(candidate), letters(reference));
        let mut counts = LetterCounts::default();
        for n in 1..=LONGEST {
            let mut left: HashMap<&[char], usize> = HashMap::new();
            reference.windows(n).for_each(|run| *left.entry(run).or_default() += 1);
            for run in candidate.windows(n) {
                if let Some(count) = left.get_mut(run)
                    && *count > 0
                {
                    *count -= 1;
                    counts.matches[n - 1] += 1;
                }
            }
            counts.reference[n - 1] = reference.windows(n).len();
            let compared = counts.reference[n - 1] > 0;
            counts.candidate[n - 1] = if compared { candidate.windows(n).len() } else { 0 };
        }
        counts
    }

    // ANCHOR: chrf
    /// chrF of all that was counted, in per cent; 0 when nothing can be compared.
    pub fn chrf(&self) -> f64 {
        let lengths: Vec<usize> =
            (0..LONGEST).filter(|&n| self.candidate[n] > 0 && self.reference[n] > 0).collect();
        let mean = |of: &[usize; LONGEST]| {
            let shares = lengths.iter().map(|&n| self.matches[n] as f64 / of[n] as f64);
            shares.sum::<f64>() / lengths.len() as f64
        };
        if self.matches == [0; LONGEST] || lengths.is_empty() {
            return 0.0;
        }
        let (p, r) = (mean(&self.candidate), mean(&self.reference));
        100.0 * (1.0 + BETA * BETA) * p * r / (BETA * BETA * p + r)
    }
    // ANCHOR_END: chrf
}

impl AddAssign<&LetterCounts> for LetterCounts {
    fn add_assign(&mut self, other: &LetterCounts) {
        for n in 0..LONGEST {
            self.matches[n] += other.matches[n];
            self.candidate[n] += other.candidate[n];
            self.reference[n] += other.reference[n];
        }
    }
}
