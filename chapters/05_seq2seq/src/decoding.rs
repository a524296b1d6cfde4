//! From a model of p(target | source) to one translation: word by word the most probable, a search
//! among several beginnings, or chance.
//!
//! All three ask the model for the next word until it answers [`END`] or [`word_limit`] is reached.
//! They never produce [`BEGIN`], which follows nothing, nor [`UNKNOWN`], which gives a reader
//! nothing: they choose among the other words. Nor do they produce a word whose log-probability is
//! not a finite number; a translation that has no word left to go on with stops.
//!
//! A model that knows two words, 3 and 4, and looks at the last one only:
//!
//! ```
//! use seq2seq::decoding::{beam, greedy, sample};
//! # use seq2seq::{Batch, Next, Translator};
//! # use shared::{Float, Matrix, Module, Rng, Tape, Var, Visitor};
//! # struct Chain;
//! # impl Module for Chain { fn visit(&mut self, _: &mut Visitor) {} }
//! # impl Translator for Chain {
//! #     type State = ();
//! #     fn loss<'t>(&self, _: &'t Tape, _: &Batch) -> Var<'t> { unreachable!() }
//! #     fn encode(&self, _: &[&[usize]]) {}
//! #     fn select(&self, _: &mut (), _: &[usize]) {}
//! #     fn next(&self, _: &mut (), last: &[usize]) -> Next {
//! #         let p = |last: &usize| -> [Float; 5] { match last {
//! // p(UNKNOWN), p(BEGIN), p(END), p(3), p(4) after …
//! 1 => [0.0, 0.0, 0.0, 0.6, 0.4], // … the beginning
//! 3 => [0.0, 0.0, 0.4, 0.3, 0.3],
//! 4 => [0.0, 0.0, 0.9, 0.1, 0.0],
//! #             _ => unreachable!(),
//! #         }};
//! #         let p: Vec<Float> = last.iter().flat_map(p).map(Float::ln).collect();
//! #         let log_probabilities = Matrix::from_vec(5, last.len(), p);
//! #         Next { log_probabilities, alignments: vec![vec![]; last.len()] }
//! #     }
//! # }
//! # let model = Chain;
//! # let source = [2];
//! // The most probable first word leads to a sentence of probability 0.6 · 0.4, …
//! let found = greedy(&model, &source);
//! assert_eq!(found.words, [3]);
//! assert!((found.log_probability.exp() - 0.24).abs() < 1e-6);
//!
//! // … the other one to 0.4 · 0.9: a beam of two keeps both long enough to see it.
//! let found = beam(&model, &source, 2, 1.0);
//! assert_eq!(found.words, [4]);
//! assert!((found.log_probability.exp() - 0.36).abs() < 1e-6);
//!
//! // Chance finds it in 36 cases of 100 …
//! let mut rng = shared::rng(0);
//! let mut count = |temperature| {
//!     let drawn = (0..10_000).map(|_| sample(&model, &source, temperature, &mut rng));
//!     drawn.filter(|found| found.words == [4]).count()
//! };
//! assert!(count(1.0).abs_diff(3600) < 150);
//! // … and, when it is cold, no more than greedy search does.
//! assert_eq!(count(0.01), 0);
//! ```

mod beam;

pub use beam::{Pruned, beam, beam_all, beam_within, pruned_all};

use crate::translator::{Next, Translator};
use crate::words::{BEGIN, END, UNKNOWN};
use rand::{Rng, RngExt};
use shared::{Float, Matrix};
use std::sync::Arc;

/// A translation, and how the model came to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// The words, without the end word.
    pub words: Vec<usize>,
    /// Column j holds the weights on the source words, its end word included, when word j was
    /// chosen; without rows if the model has no attention.
    pub alignment: Matrix,
    /// `ln p(words, END | source)`; without the end word's part if `ended` is false.
    pub log_probability: f64,
    /// Whether the model ended the sentence; otherwise it was cut off.
    pub ended: bool,
    /// Whether something better was cut off: this beginning itself, or another than this sentence.
    pub cut: bool,
}

/// The most words, end word included, that a source (with its end word) is translated into: so many for each of
/// its words, and eight. A translation that gets there has most likely not found its end.
pub fn word_limit(source: &[usize], per_word: f64) -> usize {
    (per_word * source.len() as f64).ceil() as usize + SLACK
}

/// The warning when translations were cut off, so many of all.
pub fn cut_off(cut: usize, all: usize) -> Option<String> {
    (cut > 0).then(|| {
        format!(
            "{cut} of {all} translations were cut off before their end, or replace one that was"
        )
    })
}

/// Words for a word, unless translations that were learnt from have more.
pub const PER_WORD: f64 = 2.0;
const SLACK: usize = 8;

/// Words for a word that leave all of these translations, but one in a thousand, half of the slack. Lengths
/// are those of source and target, and no fewer than [`PER_WORD`] are allowed.
pub fn words_per_word(lengths: &[(usize, usize)]) -> f64 {
    let needed = |(source, target): &(usize, usize)| {
        target.saturating_sub(SLACK / 2) as f64 / (*source).max(1) as f64
    };
    let mut needed: Vec<f64> = lengths.iter().map(needed).collect();
    needed.sort_by(f64::total_cmp);
    let most = needed.iter().rev().nth(needed.len() / 1000);
    most.map_or(PER_WORD, |most| most.max(PER_WORD))
}

// ANCHOR: greedy
/// The most probable word at every step, the first of equally probable ones.
#[doc(alias = "generate")]
pub fn greedy(model: &impl Translator, source: &[usize]) -> Translation {
    one(greedy_all(model, &[source]))
}

/// [`greedy`] for several sources at once.
pub fn greedy_all(model: &impl Translator, sources: &[&[usize]]) -> Vec<Translation> {
    greedy_within(model, sources, PER_WORD)
}

/// [`greedy_all`] with a [`word_limit`] of so many words for a word.
pub fn greedy_within(
    model: &impl Translator,
    sources: &[&[usize]],
    per_word: f64,
) -> Vec<Translation> {
    word_by_word(model, sources, per_word, |log_p| {
        candidates(log_p).reduce(|best, next| if next.1 > best.1 { next } else { best })
    })
}
// ANCHOR_END: greedy

/// Each word drawn with a probability proportional to `p^(1/temperature)`: at 1 from the model
/// itself, below from its more probable words, above more evenly.
///
/// # Panics
/// When the temperature is not a positive number.
pub fn sample(
    model: &impl Translator,
    source: &[usize],
    temperature: f64,
    rng: &mut impl Rng,
) -> Translation {
    assert!(
        temperature > 0.0 && temperature.is_finite(),
        "a temperature of {temperature}: it must be positive"
    );
    one(word_by_word(model, &[source], PER_WORD, |log_p| {
        let candidates: Vec<_> = candidates(log_p).collect();
        let max = candidates.iter().map(|(_, log_p)| *log_p).fold(f64::NEG_INFINITY, f64::max);
        let weight = |log_p: f64| ((log_p - max) / temperature).exp(); // 1 for the most probable
        let sum: f64 = candidates.iter().map(|(_, log_p)| weight(*log_p)).sum();
        let mut left = sum * rng.random::<f64>();
        let drawn = candidates.iter().find(|(_, log_p)| {
            left -= weight(*log_p);
            left < 0.0
        });
        drawn.or(candidates.last()).copied() // the last if rounding leaves a rest
    }))
}

/// The translation of the only source.
fn one(translations: Vec<Translation>) -> Translation {
    translations.into_iter().next().expect("one source has one translation")
}

/// Words that may follow, with their log-probabilities, by number.
fn candidates(log_probabilities: &[Float]) -> impl Iterator<Item = (usize, f64)> {
    let words = log_probabilities.iter().map(|log_p| f64::from(*log_p)).enumerate();
    words.filter(|(word, log_p)| *word != BEGIN && *word != UNKNOWN && log_p.is_finite())
}

/// Translates by choosing one of the candidates at every step: a search with one path a source.
fn word_by_word(
    model: &impl Translator,
    sources: &[&[usize]],
    per_word: f64,
    mut choose: impl FnMut(&[Float]) -> Option<(usize, f64)>,
) -> Vec<Translation> {
    let searches = search(model, sources, per_word, |search, answers| {
        let (path, answer) = (&search.paths[0], &answers[0]);
        let Some((word, log_p)) = choose(answer.log_probabilities) else { return Vec::new() };
        vec![path.followed_by(0, word, log_p, &answer.alignment)]
    });
    searches.into_iter().map(|search| search.best(0.0)).collect()
}

/// Searches for translations of all sources, step by step: the model answers all open paths at
/// once, `go_on` chooses a source's next paths, each of which says which one it continues, and the
/// model's state follows.
fn search<M: Translator>(
    model: &M,
    sources: &[&[usize]],
    per_word: f64,
    mut go_on: impl FnMut(&mut Search, &[Answer]) -> Vec<Path>,
) -> Vec<Search> {
    if sources.is_empty() {
        return Vec::new();
    }
    let mut state = model.encode(sources);
    let limits = sources.iter().map(|source| word_limit(source, per_word).min(model.longest()));
    let mut searches: Vec<Search> = limits.map(Search::new).collect();
    loop {
        let open = searches.iter().flat_map(|search| &search.paths);
        let last: Vec<usize> = open.map(Path::last).collect();
        if last.is_empty() {
            return searches;
        }
        let next = model.next(&mut state, &last);
        let answers = next.answers();
        let (mut first, mut chosen) = (0, Vec::new());
        for search in searches.iter_mut().filter(|search| !search.paths.is_empty()) {
            let end = first + search.paths.len();
            let paths = go_on(search, &answers[first..end]);
            search.follow(paths);
            chosen.extend(search.paths.iter().map(|path| first + path.parent));
            first = end;
        }
        if !chosen.is_empty() {
            model.select(&mut state, &chosen);
        }
    }
}

/// The model's answer for one hypothesis.
struct Answer<'a> {
    log_probabilities: &'a [Float],
    alignment: Arc<[Float]>,
}

impl Next {
    fn answers(&self) -> Vec<Answer<'_>> {
        let words = self.log_probabilities.nrows();
        let answers = self.alignments.iter().enumerate().map(|(j, weights)| Answer {
            log_probabilities: &self.log_probabilities.as_slice()[j * words..(j + 1) * words],
            alignment: weights.as_slice().into(),
        });
        answers.collect()
    }
}

/// The search for the translation of one source.
struct Search {
    /// Beginnings that may go on.
    paths: Vec<Path>,
    /// Sentences that are whole.
    ended: Vec<Path>,
    /// Beginnings that had no word left to go on with, or too many.
    cut_off: Vec<Path>,
    /// Words that may still be written, and that could be at first.
    left: usize,
    limit: usize,
    /// The largest bound of a beginning that was dropped for want of a place.
    lost: f64,
}

impl Search {
    fn new(limit: usize) -> Search {
        let (ended, cut_off, lost) = (Vec::new(), Vec::new(), f64::NEG_INFINITY);
        Search { paths: vec![Path::new()], ended, cut_off, left: limit, limit, lost }
    }

    /// One step further: some paths have ended, the others stay open until no word is left.
    fn follow(&mut self, longer: Vec<Path>) {
        self.left -= 1;
        let (ended, open): (Vec<_>, _) = longer.into_iter().partition(|path| path.ended);
        let before = std::mem::replace(&mut self.paths, open);
        self.ended.extend(ended);
        if self.ended.is_empty() && self.paths.is_empty() {
            self.cut_off = before; // nothing may follow
        } else if self.left == 0 {
            self.cut_off = std::mem::take(&mut self.paths);
        }
    }

    /// The best whole sentence by `ln p / |y|^alpha`, else the best beginning.
    fn best(&self, alpha: f64) -> Translation {
        let better = |a, b| if Path::score(b, alpha) > Path::score(a, alpha) { b } else { a };
        let [ended, open] = [&self.ended, &self.cut_off].map(|found| found.iter().reduce(better));
        let best = ended.into_iter().chain(open).reduce(better).expect("one path at least");
        Translation { cut: !best.ended, ..ended.unwrap_or(best).translation() }
    }
}

/// The beginning of a translation, or all of it.
struct Path {
    /// Which of the paths before this one continues.
    parent: usize,
    words: Vec<usize>,
    weights: Vec<Arc<[Float]>>, // on the source words, for every word
    log_probability: f64,
    ended: bool,
}

impl Path {
    fn new() -> Path {
        let (words, weights) = (Vec::new(), Vec::new());
        Path { parent: 0, words, weights, log_probability: 0.0, ended: false }
    }

    fn last(&self) -> usize {
        self.words.last().copied().unwrap_or(BEGIN)
    }

    fn followed_by(&self, parent: usize, word: usize, log_p: f64, weights: &Arc<[Float]>) -> Path {
        let (mut words, mut columns) = (self.words.clone(), self.weights.clone());
        if word != END {
            words.push(word);
            columns.push(weights.clone());
        }
        let log_probability = self.log_probability + log_p;
        Path { parent, words, weights: columns, log_probability, ended: word == END }
    }

    /// `ln p / |y|^alpha`
    fn score(&self, alpha: f64) -> f64 {
        let length = self.words.len() + usize::from(self.ended);
        self.log_probability / (length.max(1) as f64).powf(alpha)
    }

    fn translation(&self) -> Translation {
        let Path { ref weights, log_probability, ended, .. } = *self;
        let rows = weights.first().map_or(0, |column| column.len());
        let alignment = Matrix::from_fn(rows, weights.len(), |i, j| weights[j][i]);
        Translation { words: self.words.clone(), alignment, log_probability, ended, cut: !ended }
    }
}
