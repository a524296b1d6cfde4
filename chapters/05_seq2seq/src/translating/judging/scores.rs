//! Scores over several seeds.

use super::judge::{LengthScore, Scores};
use crate::bleu::Counts;
use crate::translating::corpus::Corpus;
use crate::translating::training::rows::{Judgement, Repeated, Trained};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, Interval, Spread, over_seeds};

/// What was repeated, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repetitions {
    pub seeds: Vec<u64>,
    pub epochs: usize,
    pub training_pairs: usize,
    pub source_words: usize,
    pub target_words: usize,
}

impl Repetitions {
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

/// [`Scores`] on a part, over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartScores {
    pub loss: Spread,
    pub bleu: Spread,
    /// The mean BLEU with the interval of the bootstrap, where it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    pub greedy: Spread,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chrf: Option<Spread>,
    pub exact: Spread,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aer: Option<Spread>,
}

impl PartScores {
    pub fn by_part<'a>(
        seeds: impl IntoIterator<Item = &'a [Scores]>,
    ) -> BTreeMap<String, PartScores> {
        let seeds: Vec<&[Scores]> = seeds.into_iter().collect();
        let of = |(i, part): (usize, &Scores)| {
            let scores: Vec<_> = seeds.iter().map(|scores| scores[i].without_counts()).collect();
            let mut scores: PartScores = over_seeds(&scores);
            let rng = &mut shared::rng(i as u64);
            scores.interval = Some(Bootstrap::default().score(&system(&seeds, i), rng).rounded());
            (part.part.clone(), scores)
        };
        seeds[0].iter().enumerate().map(of).collect()
    }
}

/// What BLEU counts of every sentence of part `i`, seed by seed.
fn system(seeds: &[&[Scores]], i: usize) -> Vec<Vec<Counts>> {
    seeds.iter().map(|scores| scores[i].counts.clone()).collect()
}

/// By how much the mean BLEU of these seeds exceeds that of those on every part, both on the same
/// drawn sentences.
pub fn differences(these: &[&[Scores]], those: &[&[Scores]]) -> BTreeMap<String, Interval> {
    let of = |(i, part): (usize, &Scores)| {
        let [a, b] = [these, those].map(|seeds| system(seeds, i));
        let found = Bootstrap::default().difference(&a, &b, &mut shared::rng(i as u64));
        (part.part.clone(), found.rounded())
    };
    these[0].iter().enumerate().map(of).collect()
}

/// BLEU of pairs with so many source words.
pub type LengthSpread = LengthScore<Spread>;

impl LengthSpread {
    pub fn by_length(seeds: &[Vec<LengthScore>]) -> Vec<LengthSpread> {
        over_seeds(seeds)
    }
}

/// A model's scores over the seeds; what a comparison does not have is left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    /// Entries of a state.
    pub hidden: usize,
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
    /// BLEU by the number of source words, test and long together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_length: Vec<LengthSpread>,
    #[serde(default, skip_serializing_if = "Curve::is_empty")]
    pub curve: Curve,
}

/// After every epoch mean, lowest and highest over the seeds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Curve {
    /// The validation loss, in nats a word.
    pub loss: Vec<(f64, f64, f64)>,
    /// BLEU of greedy translations of 200 validation pairs.
    pub bleu: Vec<(f64, f64, f64)>,
}

impl Curve {
    fn is_empty(&self) -> bool {
        self.loss.is_empty()
    }
}

impl ModelScores {
    pub fn new<M>(hidden: usize, runs: &[Trained<M>]) -> ModelScores {
        ModelScores {
            hidden,
            parameters: runs[0].judgement.parameters,
            parts: PartScores::by_part(Trained::scores(runs)),
            by_length: Vec::new(),
            curve: Curve::default(),
        }
    }

    pub fn with_lengths<M>(self, runs: &[Trained<M>], corpus: &Corpus) -> ModelScores {
        let lengths: Vec<_> = runs.iter().map(|run| run.judgement.by_length(corpus)).collect();
        ModelScores { by_length: LengthSpread::by_length(&lengths), ..self }
    }

    /// The same with what was seen after every epoch.
    pub fn with_curve<M>(self, runs: &[Trained<M>]) -> ModelScores {
        let seeds: Vec<&Judgement> = runs.iter().map(|run| &run.judgement).collect();
        let loss = Judgement::curve_of(&seeds, |(loss, _)| loss);
        let bleu = Judgement::curve_of(&seeds, |(_, bleu)| bleu);
        ModelScores { curve: Curve { loss, bleu }, ..self }
    }
}
