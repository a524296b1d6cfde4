//! Everything the page quotes.

use super::looks::{Class, Look, best_possible};
use super::recipe::Chapter;
use super::rows::{Row, Trained, parts};
use crate::Reading;
use corpora::detokenize;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{CompareArgs, Config, SizeArgs};
use seq2seq::translating::{Judgement, LengthSpread, PartScores, Quick, Repetitions, quick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{BySeeds, Claim, Spread};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// `with` and `without` attention.
    pub models: BTreeMap<String, ModelScores>,
    /// By kind of word, means over the seeds, on the test part.
    pub looks: BTreeMap<Class, Look>,
    /// The alignment error rate on the test part that one link a word could reach.
    pub best_possible_aer: f64,
    /// What the first seed's models make of the course's examples.
    pub examples: Vec<Translated>,
    /// What was written down before the comparison ran, and whether it held.
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
    /// Of one training on one thread, beside others, with attention.
    pub seconds_with: f64,
    /// The same without.
    pub seconds_without: f64,
}

/// A model's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelScores {
    /// Entries of a state.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
    /// BLEU by the number of source words, test and long together.
    pub by_length: Vec<LengthSpread>,
    /// After every epoch.
    pub curve: Curve,
}

/// Of every epoch mean, lowest and highest over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// The validation loss, in nats a word.
    pub loss: Vec<(f64, f64, f64)>,
    /// BLEU of greedy translations of 200 validation pairs.
    pub bleu: Vec<(f64, f64, f64)>,
}

/// An example, translated twice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Translated {
    /// The sentence.
    pub source: String,
    /// The corpus's translation.
    pub reference: String,
    /// With attention.
    pub with: String,
    /// Without.
    pub without: String,
}

impl Results {
    /// From what all trainings found; the claims are still to be judged.
    pub(super) fn new(
        arguments: &CompareArgs,
        corpus: &Corpus,
        rows: &[Row],
        found: &BySeeds<Trained>,
    ) -> Results {
        let (with, without) = (&found["with"], &found["without"]);
        let scores =
            |row: &Row| (row.name.clone(), ModelScores::of(row, corpus, &found[&row.name]));
        let seconds = |runs: &[Trained]| {
            let sum: f64 = runs.iter().map(|run| run.judgement.seconds).sum();
            (sum / runs.len() as f64).round()
        };
        Results {
            plan: Repetitions::new(&arguments.repeated, corpus),
            claims: BTreeMap::new(),
            models: rows.iter().map(scores).collect(),
            looks: looks(with),
            best_possible_aer: best_possible(&corpus.tests[0]),
            examples: translated(&with[0], &without[0]),
            quick: quick::<Chapter>(&Config {
                sizes: SizeArgs::QUICK,
                choices: Reading::BothDirections.into(),
            }),
            measured: Measured {
                seconds_with: seconds(with),
                seconds_without: seconds(without),
                ..Measured::default()
            },
        }
    }
}

fn translated(with: &Trained, without: &Trained) -> Vec<Translated> {
    let pairs = worlds::parallel::examples().into_iter();
    let translations = with.translations.iter().zip(&without.translations);
    let example = |(pair, (with, without)): (corpora::Pair, (&String, &String))| Translated {
        source: detokenize(&pair.source),
        reference: detokenize(&pair.target),
        with: with.clone(),
        without: without.clone(),
    };
    pairs.zip(translations).map(example).collect()
}

/// Means over the seeds.
fn looks(runs: &[Trained]) -> BTreeMap<Class, Look> {
    let mean = |class: &Class| {
        let of = |part: fn(&Look) -> f64| {
            Spread::of(runs.iter().map(|run| part(&run.looks[class]))).mean
        };
        let words = runs[0].looks[class].words;
        let (own, next) = (of(|l| l.own), of(|l| l.next));
        Look { words, own, next, end: of(|l| l.end), largest: of(|l| l.largest) }
    };
    runs[0].looks.keys().map(|class| (*class, mean(class))).collect()
}

impl ModelScores {
    fn of(row: &Row, corpus: &Corpus, runs: &[Trained]) -> ModelScores {
        let lengths: Vec<_> = runs.iter().map(|run| run.judgement.by_length(corpus)).collect();
        let judgements: Vec<&Judgement> = runs.iter().map(|run| &run.judgement).collect();
        ModelScores {
            hidden: row.config.1.hidden,
            parameters: runs[0].judgement.parameters,
            parts: PartScores::by_part(parts(runs)),
            by_length: LengthSpread::by_length(&lengths),
            curve: Curve {
                loss: Judgement::curve_of(&judgements, |(loss, _)| loss),
                bleu: Judgement::curve_of(&judgements, |(_, bleu)| bleu),
            },
        }
    }
}
