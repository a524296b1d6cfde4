//! Beams from one word to sixty-four, and what no beam would find.

use super::super::searches::{SearchResult, Searched};
use crate::decoding::{Translation, pruned_all, ranked_all};
use crate::translating::corpus::Corpus;
use crate::translating::judge::{log_probability, together};
use crate::{END, EncoderDecoder};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use workbench::study::Spread;

/// Widths of beams in which what has ended keeps its place.
const WIDTHS: [usize; 4] = [1, 4, 16, 64];

/// How what they find is ranked.
const ALPHAS: [f64; 2] = [0.0, 1.0];

/// Widths and α of beams that prune.
const PRUNED: [(usize, f64); 2] = [(64, 0.0), (16, 1.0)];

/// How probable what was found is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Probable<N = Spread> {
    /// The mean of `ln p` of what was found.
    pub log_probability: N,
    /// The share of sentences for which it is known to be the best of all: of beams that prune.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<N>,
    /// The share of sentences for which nothing was found but the empty translation.
    pub empty: N,
    /// The share of sentences for which the empty translation is known to be the best of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_proven: Option<N>,
    /// The largest difference, over all sentences, between `ln p` of the empty translation and `ln p`
    /// of what was found.
    pub empty_gap: N,
}

pub type Beam = Searched<Probable>;

/// Every way of searching.
pub(super) fn search(model: &EncoderDecoder, corpus: &Corpus) -> Vec<SearchResult<Probable<f64>>> {
    let sources = &corpus.tests[0].sentences.source;
    let empty: Vec<f64> = sources.par_iter().map(|s| log_probability(model, s, &[END])).collect();
    let some = |range: Range<usize>| -> Vec<&[usize]> { range.map(|i| &sources[i][..]).collect() };
    let searched = |name: String, found: Vec<Translation>, proven: Option<[f64; 2]>| {
        let share = |of: usize| of as f64 / found.len() as f64;
        let gaps = found.iter().zip(&empty).map(|(t, empty)| empty - t.log_probability);
        let probable = Probable {
            log_probability: found.iter().map(|t| t.log_probability).sum::<f64>() * share(1),
            proven: proven.map(|[all, _]| all),
            empty: share(found.iter().filter(|t| t.words.is_empty()).count()),
            empty_proven: proven.map(|[_, empty]| empty),
            empty_gap: gaps.fold(f64::NEG_INFINITY, f64::max),
        };
        SearchResult::new(name, &found, corpus, probable)
    };
    let mut all = Vec::new();
    for width in WIDTHS {
        let found =
            together(sources.len(), |range| ranked_all(model, &some(range), width, &ALPHAS));
        for (k, alpha) in ALPHAS.into_iter().enumerate() {
            let best = found.iter().map(|ranked| ranked[k].clone()).collect();
            all.push(searched(format!("width_{width}_alpha_{alpha}"), best, None));
        }
    }
    for (width, alpha) in PRUNED {
        let found = together(sources.len(), |range| pruned_all(model, &some(range), width, alpha));
        let proven = found.iter().filter(|found| found.proven);
        let empty = proven.clone().filter(|found| found.translation.words.is_empty());
        let proven = [proven.count(), empty.count()].map(|some| some as f64 / found.len() as f64);
        let found = found.into_iter().map(|found| found.translation).collect();
        all.push(searched(format!("pruned_{width}_alpha_{alpha}"), found, Some(proven)));
    }
    all
}

/// The beam of four with the same α.
pub(super) fn of_four(name: &str) -> String {
    format!("width_4_alpha_{}", name.rsplit('_').next().unwrap_or_default())
}
