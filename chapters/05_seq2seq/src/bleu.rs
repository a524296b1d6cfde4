//! How good is a translation, against one that a person made?

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::AddAssign;

/// The longest run of words that counts.
const LONGEST: usize = 4;

/// BLEU of a corpus in per cent, one reference a candidate (Papineni et al. 2002; pₙ in section
/// 2.1.1, the rest in section 2.3):
///
/// `100 · BP · exp(¼ Σₙ ln pₙ)`, n = 1 … 4
///
/// pₙ is the share of the candidates' runs of n words that stand in their reference too, each
/// counted at most as often as there; `BP = exp(min(0, 1 − r/c))` punishes candidates (c words in
/// all) that are shorter than their references (r words). Runs and words are counted over the whole
/// corpus before anything is divided, so this is no mean over sentences.
///
/// Equal to sacreBLEU's on the same words (`tokenize="none"`), its smoothing included: when no run
/// of n words matches, its share is not 0 but 1/(2ᵏ · runs), with k = 1 for the first such n, 2 for
/// the second … With no word in common, or no candidate of four words, the score is 0.
///
/// ```
/// use seq2seq::bleu::corpus_bleu;
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let candidate = [words("le chat noir dort sur le lit")];
/// let reference = [words("le chat noir dort sur mon lit")];
/// // 6 of 7 words (the second `le` stands in the reference only once), 4 of 6 pairs,
/// // 3 of 5 triples, 2 of 4 runs of four; both have seven words.
/// let p: f64 = 6.0 / 7.0 * 4.0 / 6.0 * 3.0 / 5.0 * 2.0 / 4.0;
/// assert!((corpus_bleu(&candidate, &reference) - 100.0 * p.powf(0.25)).abs() < 1e-9);
/// assert!((corpus_bleu(&reference, &reference) - 100.0).abs() < 1e-9);
/// ```
///
/// # Panics
/// When there are not as many references as candidates.
pub fn corpus_bleu(candidates: &[Vec<String>], references: &[Vec<String>]) -> f64 {
    let references: Vec<_> = references.iter().map(std::slice::from_ref).collect();
    bleu(candidates, &references)
}

/// [`corpus_bleu`] with any number of references a candidate. A run of words counts as often as
/// in the reference that has it most often; the length that matters is the one closest to the
/// candidate's, the shorter of two equally close ones.
///
/// ```
/// use seq2seq::bleu::{corpus_bleu, corpus_bleu_many};
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let candidate = [words("elle court dans le parc")];
/// let references = [vec![words("elle court au parc"), words("elle marche dans le parc")]];
/// // all 5 words, 3 of 4 pairs, 1 of 3 triples, and none of 2 runs of four, which counts as ½
/// let p: f64 = 5.0 / 5.0 * 3.0 / 4.0 * 1.0 / 3.0 * 0.5 / 2.0;
/// assert!((corpus_bleu_many(&candidate, &references) - 100.0 * p.powf(0.25)).abs() < 1e-9);
/// ```
///
/// # Panics
/// When there are not as many lists of references as candidates, or one is empty.
pub fn corpus_bleu_many(candidates: &[Vec<String>], references: &[Vec<Vec<String>>]) -> f64 {
    let references: Vec<_> = references.iter().map(Vec::as_slice).collect();
    bleu(candidates, &references)
}

fn bleu(candidates: &[Vec<String>], references: &[&[Vec<String>]]) -> f64 {
    let mut sum = Counts::default();
    counts(candidates, references).for_each(|counts| sum += &counts);
    sum.bleu()
}

/// What BLEU counts of each sentence, one reference a candidate: [`corpus_bleu`] needs only their
/// sum, and the bootstrap (`workbench::statistics::Bootstrap`) sums them again and again.
///
/// # Panics
/// When there are not as many references as candidates.
pub fn sentence_counts(candidates: &[Vec<String>], references: &[Vec<String>]) -> Vec<Counts> {
    let references: Vec<_> = references.iter().map(std::slice::from_ref).collect();
    counts(candidates, &references).collect()
}

fn counts(
    candidates: &[Vec<String>],
    references: &[&[Vec<String>]],
) -> impl Iterator<Item = Counts> {
    let (c, r) = (candidates.len(), references.len());
    assert!(c == r, "{c} candidates, but {r} references");
    candidates
        .iter()
        .zip(references)
        .map(|(candidate, references)| Counts::of(candidate, references))
}

/// The counts of BLEU, of a sentence or summed over a corpus; entry n − 1 is about runs of n words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Runs of the candidate that stand in a reference, too.
    pub matches: [usize; LONGEST],
    /// Runs of the candidate.
    pub runs: [usize; LONGEST],
    /// c
    pub candidate_words: usize,
    /// r
    pub reference_words: usize,
}

impl Counts {
    // ANCHOR: clipped
    /// The counts of a sentence with its references.
    ///
    /// # Panics
    /// When there is no reference.
    pub fn of(candidate: &[String], references: &[Vec<String>]) -> Counts {
        let mut counts = Counts::default();
        for n in 1..=LONGEST {
            let mut allowed: HashMap<&[String], usize> = HashMap::new();
            for reference in references {
                for (run, count) in count_runs(reference, n) {
                    let most = allowed.entry(run).or_default();
                    *most = count.max(*most);
                }
            }
            for (run, count) in count_runs(candidate, n) {
                counts.matches[n - 1] += count.min(allowed.get(run).copied().unwrap_or(0));
                counts.runs[n - 1] += count;
            }
        }
        let lengths = references.iter().map(Vec::len);
        let closest = lengths.min_by_key(|length| (length.abs_diff(candidate.len()), *length));
        counts.reference_words = closest.expect("a reference");
        counts.candidate_words = candidate.len();
        counts
    }
    // ANCHOR_END: clipped

    /// BLEU of all that was counted, in per cent.
    pub fn bleu(&self) -> f64 {
        if self.matches == [0; LONGEST] || self.runs.contains(&0) {
            return 0.0;
        }
        let mut without_match = 1.0;
        let mut log_sum = 0.0;
        for (matches, runs) in self.matches.into_iter().zip(self.runs) {
            let mut matches = matches as f64;
            if matches == 0.0 {
                without_match *= 2.0;
                matches = 1.0 / without_match;
            }
            log_sum += (matches / runs as f64).ln();
        }
        let ratio = self.reference_words as f64 / self.candidate_words as f64;
        100.0 * ((1.0 - ratio).min(0.0) + log_sum / LONGEST as f64).exp()
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        for n in 0..LONGEST {
            self.matches[n] += other.matches[n];
            self.runs[n] += other.runs[n];
        }
        self.candidate_words += other.candidate_words;
        self.reference_words += other.reference_words;
    }
}

/// How often each run of n words stands in a sentence.
fn count_runs(words: &[String], n: usize) -> HashMap<&[String], usize> {
    let mut counts = HashMap::new();
    for run in words.windows(n) {
        *counts.entry(run).or_default() += 1;
    }
    counts
}

/// The textbook's BLEU of one sentence, from 0 to 1 (Zhang et al., *Dive into Deep Learning*,
/// section 10.7), which values long runs of words more:
///
/// `exp(min(0, 1 − r/c)) ∏ pₙ^(1/2ⁿ)`, n = 1 … k, as far as the candidate has runs of n words
///
/// A run without match makes it 0; so does a candidate without words.
///
/// ```
/// use seq2seq::bleu::short_bleu;
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let (candidate, reference) = (words("a b b c d"), words("a b c d e f"));
/// // p₁ = 4/5, p₂ = 3/4; five words for six
/// let expected = (1.0 - 6.0 / 5.0_f64).exp() * 0.8_f64.powf(0.5) * 0.75_f64.powf(0.25);
/// assert!((short_bleu(&candidate, &reference, 2) - expected).abs() < 1e-12);
/// assert_eq!(short_bleu(&reference, &reference, 2), 1.0);
/// ```
pub fn short_bleu(candidate: &[String], reference: &[String], k: usize) -> f64 {
    if candidate.is_empty() {
        return 0.0;
    }
    let ratio = reference.len() as f64 / candidate.len() as f64;
    let mut score = (1.0 - ratio).min(0.0).exp();
    for n in 1..=k.min(candidate.len()) {
        let allowed = count_runs(reference, n);
        let runs = count_runs(candidate, n);
        let matches = runs.iter().map(|(run, count)| *allowed.get(run).unwrap_or(&0).min(count));
        let p = matches.sum::<usize>() as f64 / (candidate.len() - n + 1) as f64;
        score *= p.powf(0.5_f64.powf(n as f64));
    }
    score
}

/// The share of candidates that equal their reference word by word, from 0 to 1; 0 of none.
///
/// ```
/// let sentences = ["a", "b", "c", "d"].map(|word| vec![word.to_owned()]);
/// let candidates = ["a", "b", "c", "e"].map(|word| vec![word.to_owned()]);
/// assert_eq!(seq2seq::bleu::exact_match(&candidates, &sentences), 0.75);
/// ```
///
/// # Panics
/// When there are not as many references as candidates.
pub fn exact_match(candidates: &[Vec<String>], references: &[Vec<String>]) -> f64 {
    let (c, r) = (candidates.len(), references.len());
    assert!(c == r, "{c} candidates, but {r} references");
    let equal = candidates.iter().zip(references).filter(|(a, b)| a == b).count();
    equal as f64 / c.max(1) as f64
}
