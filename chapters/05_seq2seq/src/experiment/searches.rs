//! The default model's test part, by way of searching.

use crate::EncoderDecoder;
use crate::bleu::{Counts, corpus_bleu, sentence_counts};
use crate::decoding::beam_all;
use crate::translating::corpus::Corpus;
use crate::translating::judge::{log_probability, together};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread};

/// The ways to search: name, width, α.
const SEARCHES: [(&str, usize, f64); 7] = [
    ("greedy", 1, 1.0),
    ("width_2", 2, 1.0),
    ("width_4", 4, 1.0),
    ("width_8", 8, 1.0),
    ("width_4_alpha_0", 4, 0.0),
    ("width_4_alpha_half", 4, 0.5),
    ("width_4_alpha_2", 4, 2.0),
];

/// What a way of searching finds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Search {
    /// BLEU.
    pub bleu: Spread,
    /// BLEU minus that of a beam of four that ranks by the mean (α = 1).
    pub difference: Interval,
    /// Words of all translations by words of all references.
    pub length_ratio: Spread,
    /// The share of sentences whose reference is more probable than what was found.
    pub search_errors: Spread,
}

/// What a way of searching found with one model.
#[derive(Serialize, Deserialize)]
pub(super) struct Searched {
    name: String,
    bleu: f64,
    counts: Vec<Counts>,
    length_ratio: f64,
    search_errors: f64,
}

/// Every way of searching on the test part.
pub(super) fn searches(model: &EncoderDecoder, corpus: &Corpus) -> Vec<Searched> {
    let part = &corpus.tests[0];
    let numbers: Vec<_> = (0..part.len()).map(|i| part.numbers(i)).collect();
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    let true_ones: Vec<f64> =
        numbers.par_iter().map(|(s, t)| log_probability(model, s, t)).collect();
    let search = |(name, width, alpha): (&str, usize, f64)| {
        let found = together(numbers.len(), |some| {
            let sources: Vec<_> = some.map(|i| numbers[i].0).collect();
            beam_all(model, &sources, width, alpha)
        });
        let words: Vec<_> = found.iter().map(|t| corpus.target.decode(&t.words)).collect();
        let missed = found.iter().zip(&true_ones).filter(|(t, p)| t.log_probability < **p - 1e-3);
        let total = |texts: &[Vec<String>]| texts.iter().map(Vec::len).sum::<usize>() as f64;
        Searched {
            name: name.to_owned(),
            bleu: corpus_bleu(&words, &references),
            counts: sentence_counts(&words, &references),
            length_ratio: total(&words) / total(&references),
            search_errors: missed.count() as f64 / found.len() as f64,
        }
    };
    SEARCHES.into_iter().map(search).collect()
}

/// Over the seeds, by name.
pub(super) fn over_seeds(seeds: &[&[Searched]]) -> BTreeMap<String, Search> {
    let place = |name: &str| seeds[0].iter().position(|searched| searched.name == name);
    let usual = place("width_4").expect("a beam of four");
    let counts = |i: usize| -> Vec<_> { seeds.iter().map(|seed| seed[i].counts.clone()).collect() };
    let search = |(i, searched): (usize, &Searched)| {
        let spread =
            |score: fn(&Searched) -> f64| Spread::of(seeds.iter().map(|seed| score(&seed[i])));
        let rng = &mut shared::rng(0);
        let difference = Bootstrap::default().difference(&counts(i), &counts(usual), rng);
        let search = Search {
            bleu: spread(|s| s.bleu),
            difference: difference.rounded(),
            length_ratio: spread(|s| s.length_ratio),
            search_errors: spread(|s| s.search_errors),
        };
        (searched.name.clone(), search)
    };
    seeds[0].iter().enumerate().map(search).collect()
}
