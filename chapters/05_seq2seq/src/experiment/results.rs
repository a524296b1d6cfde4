//! Everything the page quotes.

use super::claims::{Claim, claims};
use super::trials::{Judged, Quick, Width, quick};
use crate::commands::{CompareArgs, Example};
use crate::corpus::Corpus;
use crate::judge::Scores;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
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
    /// By name: `default`, `hidden_32` … and `reversed`.
    pub models: BTreeMap<String, ModelScores>,
    /// The default model on the test part, by way of searching.
    pub search: BTreeMap<String, Search>,
    /// What the first seed's default model makes of the course's examples.
    pub examples: Vec<Example>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// A run so short that a test repeats it.
    pub quick: Quick,
    /// Differs from run to run.
    pub measured: Measured,
}

/// What depends on the machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// All of `compare`.
    pub minutes: f64,
}

/// A model's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    /// Entries of a state, and so of the context.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
    /// BLEU by the number of source words, test and long together.
    pub by_length: Vec<LengthSpread>,
}

/// A model's scores on a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartScores {
    /// Cross-entropy in nats a word.
    pub loss: Spread,
    /// BLEU of beam search.
    pub bleu: Spread,
    /// BLEU of greedy search.
    pub greedy: Spread,
    /// The share of translations equal to their reference.
    pub exact: Spread,
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

/// What a way of searching finds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Search {
    /// BLEU.
    pub bleu: Spread,
    /// Words of all translations by words of all references.
    pub length_ratio: Spread,
    /// The share of sentences whose reference is more probable than what was found.
    pub search_errors: Spread,
}

/// A number measured with several seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest.
    pub lowest: f64,
    /// The largest.
    pub highest: f64,
    /// One for each seed.
    pub of_seeds: Vec<f64>,
}

impl Spread {
    /// Of one number a seed.
    ///
    /// ```
    /// use seq2seq::experiment::Spread;
    /// let spread = Spread::of([1.0, 4.0, 1.0]);
    /// assert_eq!((spread.mean, spread.lowest, spread.highest), (2.0, 1.0, 4.0));
    /// ```
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Spread {
        let of_seeds: Vec<f64> = numbers.into_iter().map(rounded).collect();
        let mean = rounded(of_seeds.iter().sum::<f64>() / of_seeds.len() as f64);
        let lowest = of_seeds.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = of_seeds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Spread { mean, lowest, highest, of_seeds }
    }
}

/// Four digits behind the point.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

impl Results {
    pub(super) fn new(arguments: &CompareArgs, corpus: &Corpus, judged: &[Judged]) -> Results {
        let mut by_name: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
        for run in judged {
            by_name.entry(run.name.clone()).or_default().push(run);
        }
        let models: BTreeMap<_, _> =
            by_name.iter().map(|(name, runs)| (name.clone(), ModelScores::of(runs))).collect();
        let default = &by_name["default"];
        let search = searches(default);
        let claims = claims(&models, &search);
        Results {
            seeds: arguments.seeds(),
            epochs: arguments.epochs as usize,
            training_pairs: corpus.training.len(),
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            models,
            search,
            examples: default[0].examples.clone(),
            claims,
            quick: quick(),
            measured: Measured::default(),
        }
    }
}

impl ModelScores {
    fn of(runs: &[&Judged]) -> ModelScores {
        let parts = runs[0].scores.iter().enumerate();
        let part = |i: usize| {
            let spread = |score: fn(&Scores) -> f64| {
                Spread::of(runs.iter().map(|run| score(&run.scores[i])))
            };
            PartScores {
                loss: spread(|s| s.loss),
                bleu: spread(|s| s.bleu),
                greedy: spread(|s| s.greedy),
                exact: spread(|s| s.exact),
            }
        };
        let length = |(i, range): (usize, &crate::judge::LengthScore)| LengthSpread {
            from: range.from,
            to: range.to,
            sentences: range.sentences,
            bleu: Spread::of(runs.iter().map(|run| run.by_length[i].bleu)),
        };
        ModelScores {
            hidden: runs[0].hidden,
            parameters: runs[0].parameters,
            parts: parts.map(|(i, scores)| (scores.part.clone(), part(i))).collect(),
            by_length: runs[0].by_length.iter().enumerate().map(length).collect(),
        }
    }
}

fn searches(runs: &[&Judged]) -> BTreeMap<String, Search> {
    let search = |i: usize| {
        let spread =
            |score: fn(&Width) -> f64| Spread::of(runs.iter().map(|run| score(&run.searches[i])));
        Search {
            bleu: spread(|s| s.bleu),
            length_ratio: spread(|s| s.length_ratio),
            search_errors: spread(|s| s.search_errors),
        }
    };
    let names = runs[0].searches.iter().map(|width| width.name.clone());
    names.enumerate().map(|(i, name)| (name, search(i))).collect()
}
