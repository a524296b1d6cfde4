//! Beams from one word to sixty-four, and what no beam would find.

use crate::bleu::{Counts, sentence_counts};
use crate::decoding::{Translation, pruned_all, ranked_all};
use crate::translating::corpus::Corpus;
use crate::translating::judge::{log_probability, together};
use crate::{END, EncoderDecoder};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread, Tally};

/// Widths of beams in which what has ended keeps its place.
const WIDTHS: [usize; 4] = [1, 4, 16, 64];

/// How what they find is ranked.
const ALPHAS: [f64; 2] = [0.0, 1.0];

/// Widths and α of beams that prune.
const PRUNED: [(usize, f64); 2] = [(64, 0.0), (16, 1.0)];

/// What a way of searching finds on the test part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Beam {
    /// BLEU.
    pub bleu: Spread,
    /// BLEU minus that of a beam of four with the same α.
    pub difference: Interval,
    /// Words of all translations by words of all references.
    pub length_ratio: Spread,
    /// The mean of `ln p` of what was found.
    pub log_probability: Spread,
    /// The share of sentences for which it is known to be the best of all: of beams that prune.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Spread>,
    /// The share of sentences for which nothing was found but the empty translation.
    pub empty: Spread,
    /// The share of sentences for which the empty translation is known to be the best of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_proven: Option<Spread>,
    /// The largest difference, over all sentences, between `ln p` of the empty translation and `ln p`
    /// of what was found.
    pub empty_gap: Spread,
}

/// Of one model.
#[derive(Serialize, Deserialize)]
pub(super) struct Searched {
    name: String,
    counts: Vec<Counts>,
    length_ratio: f64,
    log_probability: f64,
    proven: Option<[f64; 2]>, // all, and of these the empty ones
    empty: f64,
    empty_gap: f64,
}

/// Every way of searching.
pub(super) fn search(model: &EncoderDecoder, corpus: &Corpus) -> Vec<Searched> {
    let part = &corpus.tests[0];
    let sources = &part.sentences.source;
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    let empty: Vec<f64> = sources.par_iter().map(|s| log_probability(model, s, &[END])).collect();
    let total = |texts: &[Vec<String>]| texts.iter().map(Vec::len).sum::<usize>() as f64;
    let some = |range: std::ops::Range<usize>| -> Vec<&[usize]> {
        range.map(|i| &sources[i][..]).collect()
    };
    let searched = |name: String, found: Vec<Translation>, proven: Option<[f64; 2]>| {
        let words: Vec<_> = found.iter().map(|t| corpus.target.decode(&t.words)).collect();
        let share = |of: usize| of as f64 / found.len() as f64;
        let gaps = found.iter().zip(&empty).map(|(t, empty)| empty - t.log_probability);
        Searched {
            name,
            counts: sentence_counts(&words, &references),
            length_ratio: total(&words) / total(&references),
            log_probability: found.iter().map(|t| t.log_probability).sum::<f64>() * share(1),
            proven,
            empty: share(found.iter().filter(|t| t.words.is_empty()).count()),
            empty_gap: gaps.fold(f64::NEG_INFINITY, f64::max),
        }
    };
    let usual = WIDTHS.into_iter().flat_map(|width| {
        let found =
            together(sources.len(), |range| ranked_all(model, &some(range), width, &ALPHAS));
        let ranked = (0..).zip(ALPHAS).map(|(k, alpha)| {
            let best = found.iter().map(|ranked| ranked[k].clone()).collect();
            searched(format!("width_{width}_alpha_{alpha}"), best, None)
        });
        ranked.collect::<Vec<_>>()
    });
    let pruned = PRUNED.into_iter().map(|(width, alpha)| {
        let found = together(sources.len(), |range| pruned_all(model, &some(range), width, alpha));
        let all = found.iter().filter(|found| found.proven);
        let empty = all.clone().filter(|found| found.translation.words.is_empty());
        let proven = [all.count(), empty.count()].map(|some| some as f64 / found.len() as f64);
        let found = found.into_iter().map(|found| found.translation).collect();
        searched(format!("pruned_{width}_alpha_{alpha}"), found, Some(proven))
    });
    usual.chain(pruned).collect()
}

/// Over the seeds, by name.
pub(super) fn over_seeds(seeds: &[&[Searched]]) -> BTreeMap<String, Beam> {
    let counts = |i: usize| seeds.iter().map(|found| found[i].counts.clone()).collect::<Vec<_>>();
    let place = |name: &str| seeds[0].iter().position(|found| found.name == name);
    let beam = |(i, found): (usize, &Searched)| {
        let spread = |of: &dyn Fn(&Searched) -> f64| Spread::of(seeds.iter().map(|s| of(&s[i])));
        let alpha = found.name.rsplit('_').next().unwrap_or_default();
        let four = place(&format!("width_4_alpha_{alpha}")).expect("a beam of four");
        let rng = &mut shared::rng(0);
        let beam = Beam {
            bleu: Spread::of(seeds.iter().map(|seed| Counts::score(seed[i].counts.iter()))),
            difference: Bootstrap::default().difference(&counts(i), &counts(four), rng).rounded(),
            length_ratio: spread(&|s| s.length_ratio),
            log_probability: spread(&|s| s.log_probability),
            proven: found.proven.map(|_| spread(&|s| s.proven.unwrap_or_default()[0])),
            empty: spread(&|s| s.empty),
            empty_proven: found.proven.map(|_| spread(&|s| s.proven.unwrap_or_default()[1])),
            empty_gap: spread(&|s| s.empty_gap),
        };
        (found.name.clone(), beam)
    };
    seeds[0].iter().enumerate().map(beam).collect()
}
