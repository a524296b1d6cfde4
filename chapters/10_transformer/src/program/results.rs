//! Everything the page quotes.

use super::arguments::CompareArgs;
use super::depth::{Depth, depth};
use super::normalised::Normalised;
use super::recipe::{Chapter, Sizes};
use super::rows::Row;
use super::trained::Trained;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::Scores;
use seq2seq::translating::{self, Judgement, LengthSpread, PartScores, Quick, quick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{self, BySeeds, Claim, Interval, Spread, over_seeds};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub seeds: Vec<u64>,
    pub training_pairs: usize,
    pub source_words: usize,
    pub target_words: usize,
    pub models: BTreeMap<String, ModelScores>,
    /// Row → what it is compared with → part → BLEU of the row minus that of the other.
    pub differences: Differences,
    #[serde(default)]
    pub claims: BTreeMap<String, Claim>,
    pub depth: Vec<Depth>,
    /// Of the row `batch_norm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_norm: Option<Normalised<Spread>>,
    pub quick: Quick,
    pub measured: Measured,
}

pub type Differences = BTreeMap<String, BTreeMap<String, BTreeMap<String, Interval>>>;

/// `positions.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfPositions {
    pub seeds: Vec<u64>,
    pub models: BTreeMap<String, ModelScores>,
    pub differences: Differences,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

/// `precision.json`, which the appendix quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfPrecisions {
    pub seeds: Vec<u64>,
    pub models: BTreeMap<String, ModelScores>,
    pub differences: Differences,
    pub minutes: f64,
    /// None.
    #[serde(skip)]
    pub claims: BTreeMap<String, Claim>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    pub parameters: usize,
    pub epochs: usize,
    pub parts: BTreeMap<String, PartScores>,
    /// The exponential of the loss on the test.
    pub perplexity: Spread,
    pub by_length: Vec<LengthSpread>,
    /// After every epoch, BLEU of greedy translations of 200 validation pairs: mean, lowest, highest.
    pub curve: Vec<(f64, f64, f64)>,
    /// After every epoch, the loss of the validation pairs in nats a word: mean, lowest, highest.
    pub losses: Vec<(f64, f64, f64)>,
    /// The alignment error rates of the heads that look across, block by block, on the test: of every
    /// seed the best head first, since the number that a head has means nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<Vec<Spread>>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    pub minutes: f64,
    /// Of a training step on one thread: of the models on equal parameters.
    pub milliseconds: BTreeMap<String, f64>,
    /// Of one training on one thread, beside others: the mean over the seeds.
    pub seconds: BTreeMap<String, f64>,
}

impl Results {
    pub(super) fn new(
        arguments: &CompareArgs,
        corpus: &Corpus,
        rows: &[Row],
        found: &BySeeds<Trained>,
    ) -> Results {
        let seconds = |(name, runs): (&String, &Vec<Trained>)| {
            let sum: f64 = runs.iter().map(|run| run.judgement.seconds).sum();
            (name.clone(), (sum / runs.len() as f64).round())
        };
        Results {
            seeds: arguments.study.seeds(),
            training_pairs: corpus.training.len(),
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            models: scores(rows, corpus, found),
            differences: differences(rows, found),
            claims: BTreeMap::new(),
            depth: depth(),
            batch_norm: found.get("batch_norm").and_then(|runs| {
                let runs: Option<Vec<&Normalised>> =
                    runs.iter().map(|run| run.normalised.as_ref()).collect();
                Some(over_seeds(&runs?))
            }),
            quick: quick::<Chapter>(&Sizes::QUICK),
            measured: Measured {
                seconds: found.iter().map(seconds).collect(),
                ..Measured::default()
            },
        }
    }
}

pub(super) fn scores(
    rows: &[Row],
    corpus: &Corpus,
    found: &BySeeds<Trained>,
) -> BTreeMap<String, ModelScores> {
    let scores =
        |row: &Row| (row.name.clone(), ModelScores::of(row.epochs, corpus, &found[&row.name]));
    rows.iter().map(scores).collect()
}

pub(super) fn differences(rows: &[Row], found: &BySeeds<Trained>) -> Differences {
    study::differences(rows, found, |these, those| {
        translating::differences(&parts(these), &parts(those))
    })
}

fn parts(runs: &[Trained]) -> Vec<&[Scores]> {
    runs.iter().map(|run| &run.judgement.scores[..]).collect()
}

impl ModelScores {
    fn of(epochs: usize, corpus: &Corpus, runs: &[Trained]) -> ModelScores {
        let ranked = |run: &Trained, block: usize, rank: usize| {
            let mut rates = run.heads[block].clone();
            rates.sort_by(f64::total_cmp);
            rates[rank]
        };
        let head =
            |block: usize, rank: usize| Spread::of(runs.iter().map(|r| ranked(r, block, rank)));
        let heads = runs[0].heads.iter().enumerate();
        let lengths: Vec<_> = runs.iter().map(|run| run.judgement.by_length(corpus)).collect();
        let judgements: Vec<_> = runs.iter().map(|run| &run.judgement).collect();
        ModelScores {
            parameters: runs[0].judgement.parameters,
            epochs,
            parts: PartScores::by_part(parts(runs)),
            perplexity: Spread::of(runs.iter().map(|run| run.judgement.scores[0].loss.exp())),
            by_length: LengthSpread::by_length(&lengths),
            curve: Judgement::curve_of(&judgements, |(_, bleu)| bleu),
            losses: Judgement::curve_of(&judgements, |(loss, _)| loss),
            heads: heads.map(|(b, of)| (0..of.len()).map(|h| head(b, h)).collect()).collect(),
        }
    }
}
