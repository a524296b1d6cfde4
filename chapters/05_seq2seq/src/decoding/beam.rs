//! Beam search: the most probable beginnings, kept side by side.

use super::{Answer, PER_WORD, Path, Search, Translation, candidates, one, search};
use crate::translator::Translator;
use crate::words::END;
use std::cmp::Ordering;

/// Beam search (Sutskever et al. 2014, section 3.2): keeps the `width` most probable beginnings;
/// one that has ended keeps its place, and the search goes on in the other places until all have
/// ended. So a width of 1 is `greedy`.
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
    beam_within(model, sources, width, alpha, PER_WORD)
}

/// [`beam_all`] with a [`word_limit`](super::word_limit) of so many words for a word.
///
/// # Panics
/// As [`beam`].
pub fn beam_within(
    model: &impl Translator,
    sources: &[&[usize]],
    width: usize,
    alpha: f64,
    per_word: f64,
) -> Vec<Translation> {
    assert!(width > 0, "a beam of no width");
    assert!(alpha.is_finite(), "lengths to the power {alpha}");
    let searches = search(model, sources, per_word, |search, answers| {
        continuations(&search.paths, answers, width - search.ended.len())
    });
    searches.into_iter().map(|search| search.best(alpha)).collect()
}

// ANCHOR: continuations
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
    let longer = steps.iter().map(|step| {
        let (path, alignment) = (&paths[step.path], &answers[step.path].alignment);
        path.followed_by(step.path, step.word, step.log_p, alignment)
    });
    longer.collect()
}
// ANCHOR_END: continuations

/// How a path may go on.
struct Step {
    path: usize,
    word: usize,
    log_p: f64,
    sum: f64, // over the path and this word
}

/// A translation, and whether it is known to be the best of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Pruned {
    /// The best one that was found.
    pub translation: Translation,
    /// Whether no sentence within `word_limit` has a larger `ln p(y | x) / |y|^alpha`.
    pub proven: bool,
}

/// Beam search that knows what it is looking for, the largest `ln p(y | x) / |y|^alpha`.
///
/// A logarithm of a probability only falls, so a beginning of `ln p` can at best become a sentence
/// of `ln p / L^alpha`, L being the most words that it may have. A beginning whose bound is below
/// what has already ended is given up; the search is over when none is left. What has ended keeps no
/// place: all `width` places are for beginnings. If none that could have become better was dropped
/// for want of a place, the result is the best sentence of all, and said to be `proven` so. Only
/// when no sentence ended, the best of those cut off is returned.
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
    // ANCHOR: pruned
    let searches = search(model, sources, PER_WORD, |search, answers| {
        let longest = (search.limit as f64).powf(alpha); // L^alpha
        let bound = |path: &Path| path.log_probability / longest;
        let ended =
            search.paths.iter().zip(answers).enumerate().filter_map(|(i, (path, answer))| {
                let end = f64::from(*answer.log_probabilities.get(END)?);
                end.is_finite().then(|| path.followed_by(i, END, end, &answer.alignment))
            });
        // The others are no better and go no further.
        let ended = ended.reduce(|a, b| if b.score(alpha) > a.score(alpha) { b } else { a });
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
    // ANCHOR_END: pruned
    searches.into_iter().map(|search| proven(search, alpha)).collect()
}

/// The best one, and whether nothing that was dropped could have become better. (What was cut off has no
/// sentence within the limit.)
fn proven(search: Search, alpha: f64) -> Pruned {
    let translation = search.best(alpha);
    let length = translation.words.len() + 1;
    let score = translation.log_probability / (length as f64).powf(alpha);
    Pruned { proven: translation.ended && search.lost <= score, translation }
}
