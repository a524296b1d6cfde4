//! From a model of p(target | source) to one translation: word by word the most probable, a search
//! among several beginnings, or chance.
//!
//! All three ask the model for the next word until it answers [`END`] or [`word_limit`] is reached.
//! They never produce [`BEGIN`], which follows nothing, nor [`UNKNOWN`], which tells a reader
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

use crate::translator::{Next, Translator};
use crate::words::{BEGIN, END, UNKNOWN};
use rand::{Rng, RngExt};
use shared::{Float, Matrix};
use std::cmp::Ordering;
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
}

/// The most words, end word included, that a source (with its end word) is translated into: twice
/// its length and eight. A translation that gets there has most likely not found its end.
pub fn word_limit(source: &[usize]) -> usize {
    2 * source.len() + 8
}

// ANCHOR: greedy
/// The most probable word at every step, the first of equally probable ones.
pub fn greedy(model: &impl Translator, source: &[usize]) -> Translation {
    one(greedy_all(model, &[source]))
}

/// [`greedy`] for several sources at once.
pub fn greedy_all(model: &impl Translator, sources: &[&[usize]]) -> Vec<Translation> {
    word_by_word(model, sources, |log_p| {
        candidates(log_p).reduce(|best, next| if next.1 > best.1 { next } else { best })
    })
}
// ANCHOR_END: greedy

// ANCHOR: sample
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
    one(word_by_word(model, &[source], |log_p| {
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
// ANCHOR_END: sample

/// The translation of the only source.
fn one(translations: Vec<Translation>) -> Translation {
    translations.into_iter().next().expect("one source has one translation")
}

/// Words that may follow, with their log-probabilities, by number.
fn candidates(log_probabilities: &[Float]) -> impl Iterator<Item = (usize, f64)> {
    let may_follow = |word: usize| word != BEGIN && word != UNKNOWN;
    let words = log_probabilities.iter().map(|log_p| f64::from(*log_p)).enumerate();
    words.filter(move |(word, log_p)| may_follow(*word) && log_p.is_finite())
}

/// Translates by choosing one of the candidates at every step: a search with one path a source.
fn word_by_word(
    model: &impl Translator,
    sources: &[&[usize]],
    mut choose: impl FnMut(&[Float]) -> Option<(usize, f64)>,
) -> Vec<Translation> {
    let searches = search(model, sources, |search, answers| {
        let (path, answer) = (&search.paths[0], &answers[0]);
        let step = |(word, log_p)| path.followed_by(0, word, log_p, &answer.alignment);
        choose(answer.log_probabilities).map(step).into_iter().collect()
    });
    searches.into_iter().map(|search| search.best(0.0)).collect()
}

// ANCHOR: beam
/// Beam search (Sutskever et al. 2014, section 3.2): keeps the `width` most probable beginnings;
/// one that has ended keeps its place, and the search goes on in the other places until all have
/// ended. So a width of 1 is [`greedy`].
///
/// Every further word makes a sentence less probable, which favours short ones. Of the sentences
/// that ended, the one with the largest `ln p(y | x) / |y|^alpha` is returned, |y| being the number
/// of its words and its end word: by probability for `alpha` = 0, by the mean of the words'
/// log-probabilities for 1. (Wu et al. 2016, section 7, name this rule, and values of 0.6 to 0.7,
/// before they refine it in their equation 14.) Only when no sentence ended, the best of those cut
/// off is returned. Of equal sentences it is the one found first.
///
/// # Panics
/// When `width` is 0 or `alpha` is not a finite number.
pub fn beam(model: &impl Translator, source: &[usize], width: usize, alpha: f64) -> Translation {
    one(beam_all(model, &[source], width, alpha))
}

/// [`beam`] for several sources at once: at every step all beginnings of all sources are one
/// matrix.
///
/// # Panics
/// As [`beam`].
pub fn beam_all(
    model: &impl Translator,
    sources: &[&[usize]],
    width: usize,
    alpha: f64,
) -> Vec<Translation> {
    let ranked = ranked_all(model, sources, width, &[alpha]);
    ranked.into_iter().flatten().collect()
}

/// [`beam_all`] with every `alpha`, source by source. It takes one search: which beginnings are kept
/// does not depend on `alpha`.
///
/// # Panics
/// As [`beam`].
pub fn ranked_all(
    model: &impl Translator,
    sources: &[&[usize]],
    width: usize,
    alphas: &[f64],
) -> Vec<Vec<Translation>> {
    assert!(width > 0, "a beam of no width");
    alphas.iter().for_each(|alpha| assert!(alpha.is_finite(), "lengths to the power {alpha}"));
    let searches = search(model, sources, |search, answers| {
        continuations(&search.paths, answers, width - search.ended.len())
    });
    let ranked = |search: Search| alphas.iter().map(|alpha| search.best(*alpha)).collect();
    searches.into_iter().map(ranked).collect()
}

/// The `count` most probable paths that are one word longer than these, the most probable first.
fn continuations(paths: &[Path], answers: &[Answer], count: usize) -> Vec<Path> {
    let larger = |a: f64, b: f64| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    let order = |a: &Step, b: &Step| {
        let by_path = larger(a.sum, b.sum).then(a.path.cmp(&b.path));
        by_path.then(larger(a.log_p, b.log_p)).then(a.word.cmp(&b.word)) // sums may round alike
    };
    let mut steps: Vec<Step> = Vec::with_capacity(count + 1); // the best so far, in order
    for (path, (before, answer)) in paths.iter().zip(answers).enumerate() {
        for (word, log_p) in candidates(answer.log_probabilities) {
            let step = Step { path, word, log_p, sum: before.log_probability + log_p };
            if steps.len() == count && steps.last().is_some_and(|last| step.sum < last.sum) {
                continue; // nearly every word, and without a place in memory
            }
            let place = steps.partition_point(|other| order(other, &step).is_lt());
            steps.insert(place, step);
            steps.truncate(count);
        }
    }
    let follow = |step: &Step| {
        let (path, alignment) = (&paths[step.path], &answers[step.path].alignment);
        path.followed_by(step.path, step.word, step.log_p, alignment)
    };
    steps.iter().map(follow).collect()
}

/// How a path may go on.
struct Step {
    path: usize,
    word: usize,
    log_p: f64,
    sum: f64, // over the path and this word
}
// ANCHOR_END: beam

// ANCHOR: pruned
/// A translation, and whether it is known to be the best of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Pruned {
    /// The best one that was found.
    pub translation: Translation,
    /// Whether no sentence within [`word_limit`] has a larger `ln p(y | x) / |y|^alpha`.
    pub proven: bool,
}

/// Beam search that knows what it is looking for, the largest `ln p(y | x) / |y|^alpha`.
///
/// A logarithm of a probability only falls, so a beginning of `ln p` can at best become a sentence
/// of `ln p / L^alpha`, L being the most words that it may have. A beginning whose bound is below
/// what has already ended is given up; the search is over when none is left. What has ended keeps no
/// place: all `width` places are for beginnings. If none that could have become better was
/// dropped for want of a place, the result is the best sentence of all, and said to be `proven` so. Only when no sentence
/// ended, the best of those cut off is returned.
///
/// # Panics
/// When `width` is 0, or `alpha` is negative or not finite.
pub fn pruned_all(
    model: &impl Translator,
    sources: &[&[usize]],
    width: usize,
    alpha: f64,
) -> Vec<Pruned> {
    assert!(width > 0, "a beam of no width");
    assert!(alpha >= 0.0 && alpha.is_finite(), "lengths to the power {alpha}");
    let searches = search(model, sources, |search, answers| {
        let longest = (search.limit as f64).powf(alpha); // L^alpha
        let bound = |path: &Path| path.log_probability / longest;
        let ended =
            search.paths.iter().zip(answers).enumerate().filter_map(|(i, (path, answer))| {
                let end = f64::from(*answer.log_probabilities.get(END)?);
                end.is_finite().then(|| path.followed_by(i, END, end, &answer.alignment))
            });
        let better = |a: Path, b: Path| if b.score(alpha) > a.score(alpha) { b } else { a };
        let ended = ended.reduce(better); // the others are no better and go no further
        let known = search.ended.iter().chain(&ended).map(|path| path.score(alpha));
        let best = known.fold(f64::NEG_INFINITY, f64::max);
        let count = width + 1 + search.paths.len(); // so that `width` and one more are no ends
        let open = continuations(&search.paths, answers, count).into_iter();
        let mut open: Vec<Path> = open.filter(|path| !path.ended && bound(path) > best).collect();
        if let Some(dropped) = open.get(width) {
            search.lost = search.lost.max(bound(dropped)); // they stand in order
            open.truncate(width);
        }
        open.into_iter().chain(ended).collect()
    });
    searches.into_iter().map(|search| search.proven(alpha)).collect()
}
// ANCHOR_END: pruned

// ANCHOR: search
/// Searches for translations of all sources, step by step: the model answers all open paths at
/// once, `go_on` chooses a source's next paths, each of which says which one it continues, and the
/// model's state follows.
fn search<M: Translator>(
    model: &M,
    sources: &[&[usize]],
    mut go_on: impl FnMut(&mut Search, &[Answer]) -> Vec<Path>,
) -> Vec<Search> {
    if sources.is_empty() {
        return Vec::new();
    }
    let mut state = model.encode(sources);
    let begin = |source: &&[usize]| Search::new(word_limit(source).min(model.longest()));
    let mut searches: Vec<Search> = sources.iter().map(begin).collect();
    loop {
        let open = searches.iter().flat_map(|search| &search.paths);
        let last: Vec<usize> = open.map(Path::last).collect();
        if last.is_empty() {
            return searches;
        }
        let next = model.next(&mut state, &last);
        let (answers, mut first, mut chosen) = (next.answers(), 0, Vec::new());
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
// ANCHOR_END: search

/// What the model says of one hypothesis.
struct Answer<'a> {
    log_probabilities: &'a [Float],
    alignment: Arc<[Float]>,
}

impl Next {
    fn answers(&self) -> Vec<Answer<'_>> {
        let words = self.log_probabilities.nrows();
        let answer = |(j, weights): (usize, &Vec<Float>)| Answer {
            log_probabilities: &self.log_probabilities.as_slice()[j * words..(j + 1) * words],
            alignment: weights.as_slice().into(),
        };
        self.alignments.iter().enumerate().map(answer).collect()
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

    /// The best one, and whether nothing that was dropped could have become better. (What was cut off
    /// has no sentence within the limit.)
    fn proven(self, alpha: f64) -> Pruned {
        let lost = self.lost;
        let translation = self.best(alpha);
        let length = translation.words.len() + 1;
        let score = translation.log_probability / (length as f64).powf(alpha);
        Pruned { proven: translation.ended && lost <= score, translation }
    }

    /// The best whole sentence by `ln p / |y|^alpha`, else the best beginning.
    fn best(&self, alpha: f64) -> Translation {
        let found = if self.ended.is_empty() { &self.cut_off } else { &self.ended };
        let better = |a, b| if Path::score(b, alpha) > Path::score(a, alpha) { b } else { a };
        found.iter().reduce(better).expect("one path at least").translation()
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
        Translation { words: self.words.clone(), alignment, log_probability, ended }
    }
}
