//! Scores over several seeds.

use super::judge::{LengthScore, Scores};
use crate::bleu::Counts;
use crate::translating::corpus::Corpus;
use crate::translating::training::rows::Repeated;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread};

/// What was repeated, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repetitions {
    /// The seeds of the repetitions.
    pub seeds: Vec<u64>,
    /// Passes over the data.
    pub epochs: usize,
    /// Pairs learnt from.
    pub training_pairs: usize,
    /// Words of the source vocabulary.
    pub source_words: usize,
    /// Words of the target vocabulary.
    pub target_words: usize,
}

impl Repetitions {
    /// What the arguments of `compare` ask for.
    pub fn new(arguments: &Repeated, corpus: &Corpus) -> Repetitions {
        Repetitions {
            seeds: arguments.study.seeds(),
            epochs: arguments.epochs as usize,
            training_pairs: corpus.training.len(),
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
        }
    }
}

/// A model's scores on a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartScores {
    /// Cross-entropy in nats a word.
    pub loss: Spread,
    /// BLEU of beam search.
    pub bleu: Spread,
    /// The mean BLEU of beam search with the interval of the bootstrap, where it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// BLEU of greedy search.
    pub greedy: Spread,
    /// chrF of beam search, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chrf: Option<Spread>,
    /// The share of translations equal to their reference.
    pub exact: Spread,
    /// The alignment error rate, of models that align.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aer: Option<Spread>,
}

impl PartScores {
    /// From the scores that the model of each seed has on every part.
    ///
    /// # Panics
    /// When there is no seed.
    pub fn by_part<'a>(
        seeds: impl IntoIterator<Item = &'a [Scores]>,
    ) -> BTreeMap<String, PartScores> {
        let seeds: Vec<&[Scores]> = seeds.into_iter().collect();
        let of = |(i, part): (usize, &Scores)| {
            let spread = |score: fn(&Scores) -> f64| {
                Spread::of(seeds.iter().map(|scores| score(&scores[i])))
            };
            let aer: Option<Vec<f64>> = seeds.iter().map(|scores| scores[i].aer).collect();
            let scores = PartScores {
                loss: spread(|s| s.loss),
                bleu: spread(|s| s.bleu),
                interval: Some(interval(&seeds, i)),
                greedy: spread(|s| s.greedy),
                chrf: Some(spread(|s| s.chrf)),
                exact: spread(|s| s.exact),
                aer: aer.map(Spread::of),
            };
            (part.part.clone(), scores)
        };
        seeds[0].iter().enumerate().map(of).collect()
    }
}

/// What BLEU counts of every sentence of part `i`, seed by seed.
fn system(seeds: &[&[Scores]], i: usize) -> Vec<Vec<Counts>> {
    seeds.iter().map(|scores| scores[i].counts.clone()).collect()
}

fn interval(seeds: &[&[Scores]], i: usize) -> Interval {
    Bootstrap::default().score(&system(seeds, i), &mut shared::rng(i as u64)).rounded()
}

/// By how much the mean BLEU of these seeds exceeds that of those on every part, both on the same
/// drawn sentences.
///
/// # Panics
/// When one of them has no seed, or they were not judged by the same parts.
pub fn differences(these: &[&[Scores]], those: &[&[Scores]]) -> BTreeMap<String, Interval> {
    let of = |(i, part): (usize, &Scores)| {
        let [a, b] = [these, those].map(|seeds| system(seeds, i));
        let found = Bootstrap::default().difference(&a, &b, &mut shared::rng(i as u64));
        (part.part.clone(), found.rounded())
    };
    these[0].iter().enumerate().map(of).collect()
}

/// BLEU of pairs with so many source words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LengthSpread {
    /// From so many source words …
    pub from: usize,
    /// … to so many, inclusive.
    pub to: usize,
    /// How many pairs.
    pub sentences: usize,
    /// BLEU of greedy translations.
    pub bleu: Spread,
}

impl LengthSpread {
    /// From the scores that the model of each seed has in every range of lengths.
    ///
    /// # Panics
    /// When there is no seed.
    pub fn by_length(seeds: &[Vec<LengthScore>]) -> Vec<LengthSpread> {
        let of = |(i, range): (usize, &LengthScore)| LengthSpread {
            from: range.from,
            to: range.to,
            sentences: range.sentences,
            bleu: Spread::of(seeds.iter().map(|ranges| ranges[i].bleu)),
        };
        seeds[0].iter().enumerate().map(of).collect()
    }
}
