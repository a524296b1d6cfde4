//! Everything the page quotes.

use super::arguments::CompareArgs;
use super::depth::{Depth, depth};
use super::recipe::{Chapter, Sizes};
use super::rows::Row;
use super::trials::Judged;
use seq2seq::bleu::Counts;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::{Example, LengthSpread, PartScores, Quick, quick};
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::{Bootstrap, Interval, Spread};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The seeds of the repetitions.
    pub seeds: Vec<u64>,
    /// Pairs learnt from.
    pub training_pairs: usize,
    /// Words of the source vocabulary.
    pub source_words: usize,
    /// Words of the target vocabulary.
    pub target_words: usize,
    /// By row.
    pub models: BTreeMap<String, ModelScores>,
    /// Row → what it is compared with → part → BLEU of the row minus that of the other.
    pub differences: BTreeMap<String, BTreeMap<String, BTreeMap<String, Interval>>>,
    /// What was written down before the comparison ran, and whether it held.
    #[serde(default)]
    pub claims: BTreeMap<String, Claim>,
    /// What of a gradient arrives below twelve fresh blocks.
    pub depth: Vec<Depth>,
    /// A run so short that a test repeats it.
    pub quick: Quick,
    /// Differs from run to run.
    pub measured: Measured,
}

/// A row's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    /// Numbers that are learnt.
    pub parameters: usize,
    /// Passes over the data.
    pub epochs: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
    /// The exponential of the loss on the test.
    pub perplexity: Spread,
    /// BLEU by the number of source words, test and long together.
    pub by_length: Vec<LengthSpread>,
    /// After every epoch, BLEU of greedy translations of 200 validation pairs: mean, lowest, highest.
    pub curve: Vec<(f64, f64, f64)>,
    /// After every epoch, the loss of the validation pairs in nats a word: mean, lowest, highest.
    pub losses: Vec<(f64, f64, f64)>,
    /// The alignment error rates of the heads that look across, block by block, on the test: of every
    /// seed the best head first, since the number that a head has means nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<Vec<Spread>>,
    /// What the first seed's model makes of the course's examples.
    pub examples: Vec<Example>,
}

/// What depends on the machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// All of `compare`.
    pub minutes: f64,
    /// Of a training step on one thread: of the models on equal parameters.
    pub milliseconds: BTreeMap<String, f64>,
    /// Of one training on one thread, beside others: the mean over the seeds.
    pub seconds: BTreeMap<String, f64>,
}

impl Results {
    /// From what all trials found; the claims are still to be judged.
    pub(super) fn new(
        arguments: &CompareArgs,
        corpus: &Corpus,
        rows: &[Row],
        judged: &[Judged],
    ) -> Results {
        let runs =
            |name: &str| judged.iter().filter(|run| run.name == name).collect::<Vec<&Judged>>();
        let names: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.name, row)).collect();
        let scores =
            |(name, row): (&&str, &&Row)| (name.to_string(), ModelScores::of(row, &runs(name)));
        let seconds = |name: &&str| {
            let of = runs(name);
            let mean = of.iter().map(|run| run.seconds).sum::<f64>() / of.len() as f64;
            (name.to_string(), mean.round())
        };
        Results {
            seeds: arguments.seeds(),
            training_pairs: corpus.training.len(),
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            models: names.iter().map(scores).collect(),
            differences: differences(&names, corpus, runs),
            claims: BTreeMap::new(),
            depth: depth(),
            quick: quick::<Chapter>(&Sizes::QUICK),
            measured: Measured {
                seconds: names.keys().map(seconds).collect(),
                ..Measured::default()
            },
        }
    }
}

/// What a row is compared with.
fn opponent(name: &str) -> &'static str {
    match name {
        "linear_pre" | "linear_without_warm_up" => "linear",
        "linear_pre_without_warm_up" => "linear_pre",
        _ => "transformer",
    }
}

/// BLEU of every row minus that of what it is compared with, part by part.
fn differences<'j>(
    rows: &BTreeMap<&str, &Row>,
    corpus: &Corpus,
    runs: impl Fn(&str) -> Vec<&'j Judged>,
) -> BTreeMap<String, BTreeMap<String, BTreeMap<String, Interval>>> {
    let of_part = |(i, part): (usize, &Part), a: &str, b: &str| {
        let system = |name: &str| -> Vec<Vec<Counts>> {
            runs(name).iter().map(|run| run.counts[i].clone()).collect()
        };
        let rng = &mut rng(i as u64); // every row on the same drawn sentences
        let found = Bootstrap::default().difference(&system(a), &system(b), rng);
        (part.name.clone(), found.rounded())
    };
    let of_row = |name: &&str| {
        let other = opponent(name);
        (rows.contains_key(other) && *name != other).then(|| {
            let parts = corpus.tests.iter().enumerate();
            let parts = parts.map(|part| of_part(part, name, other)).collect();
            (name.to_string(), BTreeMap::from([(other.to_owned(), parts)]))
        })
    };
    rows.keys().filter_map(of_row).collect()
}

impl ModelScores {
    fn of(row: &Row, runs: &[&Judged]) -> ModelScores {
        let ranked = |run: &Judged, block: usize, rank: usize| {
            let mut rates = run.heads[block].clone();
            rates.sort_by(f64::total_cmp);
            rates[rank]
        };
        let head =
            |block: usize, rank: usize| Spread::of(runs.iter().map(|r| ranked(r, block, rank)));
        let heads = runs[0].heads.iter().enumerate();
        ModelScores {
            parameters: runs[0].parameters,
            epochs: row.epochs,
            parts: PartScores::by_part(runs.iter().map(|run| &run.scores[..])),
            perplexity: Spread::of(runs.iter().map(|run| run.scores[0].loss.exp())),
            by_length: LengthSpread::by_length(runs.iter().map(|run| &run.by_length[..])),
            curve: curve(runs, |(_, bleu)| bleu),
            losses: curve(runs, |(loss, _)| loss),
            heads: heads.map(|(b, of)| (0..of.len()).map(|h| head(b, h)).collect()).collect(),
            examples: runs[0].examples.clone(),
        }
    }
}

fn curve(runs: &[&Judged], number: fn((f64, f64)) -> f64) -> Vec<(f64, f64, f64)> {
    let epoch = |e: usize| {
        let spread = Spread::of(runs.iter().map(|run| number(run.curve[e])));
        (spread.mean, spread.lowest, spread.highest)
    };
    (0..runs[0].curve.len()).map(epoch).collect()
}
