//! Ways of searching, each held against a beam of four.

use crate::EncoderDecoder;
use crate::bleu::{Counts, sentence_counts};
use crate::decoding::{Translation, beam_all};
use crate::translating::corpus::Corpus;
use crate::translating::judge::{log_probability, together};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread, Tally, over_seeds};

/// What a way of searching finds on the test part: numbers of one model, or spreads over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Searched<M, N = Spread> {
    pub bleu: N,
    /// BLEU minus that of the beam of four that is ranked in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
    /// Words of all translations by words of all references.
    pub length_ratio: N,
    #[serde(flatten)]
    pub more: M,
}

/// Of the searches that the page compares first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errors<N = Spread> {
    /// The share of sentences whose reference is more probable than what was found.
    pub search_errors: N,
}

pub type Search = Searched<Errors>;

/// What was found with one model, and what BLEU counts of every sentence.
#[derive(Serialize, Deserialize)]
pub(super) struct SearchResult<M> {
    pub(super) name: String,
    counts: Vec<Counts>,
    #[serde(flatten)]
    searched: Searched<M, f64>,
}

impl<M> SearchResult<M> {
    pub(super) fn new(
        name: String,
        found: &[Translation],
        corpus: &Corpus,
        more: M,
    ) -> SearchResult<M> {
        let references: Vec<_> = corpus.tests[0].pairs.iter().map(|p| p.target.clone()).collect();
        let words: Vec<_> = found.iter().map(|t| corpus.target.decode(&t.words)).collect();
        let total = |texts: &[Vec<String>]| texts.iter().map(Vec::len).sum::<usize>() as f64;
        let counts = sentence_counts(&words, &references);
        let bleu = Counts::score(counts.iter());
        let length_ratio = total(&words) / total(&references);
        SearchResult {
            name,
            counts,
            searched: Searched { bleu, difference: None, length_ratio, more },
        }
    }
}

/// Over the seeds, by name; `four` says which beam of four a way of searching is compared with.
pub(super) fn held<M: Serialize, S: DeserializeOwned>(
    seeds: &[&[SearchResult<M>]],
    four: impl Fn(&str) -> String,
) -> BTreeMap<String, Searched<S>> {
    let counts = |i: usize| -> Vec<_> { seeds.iter().map(|seed| seed[i].counts.clone()).collect() };
    let place = |name: String| seeds[0].iter().position(|found| found.name == name);
    let way = |(i, found): (usize, &SearchResult<M>)| {
        let (these, those) = (counts(i), counts(place(four(&found.name)).expect("a beam of four")));
        let difference = Bootstrap::default().difference(&these, &those, &mut shared::rng(0));
        let searched: Vec<_> = seeds.iter().map(|seed| &seed[i].searched).collect();
        let difference = Some(difference.rounded());
        (found.name.clone(), Searched { difference, ..over_seeds(&searched) })
    };
    seeds[0].iter().enumerate().map(way).collect()
}

/// Name, width, α.
const SEARCHES: [(&str, usize, f64); 7] = [
    ("greedy", 1, 1.0),
    ("width_2", 2, 1.0),
    ("width_4", 4, 1.0),
    ("width_8", 8, 1.0),
    ("width_4_alpha_0", 4, 0.0),
    ("width_4_alpha_half", 4, 0.5),
    ("width_4_alpha_2", 4, 2.0),
];

/// The ways of searching that the page compares first.
pub(super) fn searches(model: &EncoderDecoder, corpus: &Corpus) -> Vec<SearchResult<Errors<f64>>> {
    let part = &corpus.tests[0];
    let numbers: Vec<_> = (0..part.len()).map(|i| part.numbers(i)).collect();
    let true_ones: Vec<f64> =
        numbers.par_iter().map(|(s, t)| log_probability(model, s, t)).collect();
    let search = |(name, width, alpha): (&str, usize, f64)| {
        let found = together(numbers.len(), |some| {
            let sources: Vec<_> = some.map(|i| numbers[i].0).collect();
            beam_all(model, &sources, width, alpha)
        });
        let missed = found.iter().zip(&true_ones).filter(|(t, p)| t.log_probability < **p - 1e-3);
        let search_errors = missed.count() as f64 / found.len() as f64;
        SearchResult::new(name.to_owned(), &found, corpus, Errors { search_errors })
    };
    SEARCHES.into_iter().map(search).collect()
}
