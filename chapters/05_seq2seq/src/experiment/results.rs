//! Everything the page quotes.

use super::recipe::{Chapter, Choices};
use super::searches::{Search, over_seeds};
use super::trials::{Row, Trained};
use crate::translating::corpus::Corpus;
use crate::translating::judge::Scores;
use crate::translating::recurrent::{CompareArgs, Config, SizeArgs};
use crate::translating::{
    Example, LengthSpread, PartScores, Quick, Repetitions, differences, quick,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::{self, BySeeds, Claim, Interval};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// By name: `default`, `hidden_32` … and `reversed`.
    pub models: BTreeMap<String, ModelScores>,
    /// BLEU of a model minus that of the default one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
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

impl Results {
    /// From what all trainings found; the claims are still to be judged.
    pub(super) fn new(
        arguments: &CompareArgs,
        corpus: &Corpus,
        rows: &[Row],
        found: &BySeeds<Trained>,
    ) -> Results {
        let model = |row: &Row| {
            let hidden = row.config.sizes.hidden;
            (row.name.clone(), ModelScores::of(hidden, corpus, &found[&row.name]))
        };
        let all = study::differences(rows, found, |these, those| {
            differences(&parts(these), &parts(those))
        });
        let against_default = all
            .into_iter()
            .map(|(name, mut others)| (name, others.remove("default").unwrap_or_default()));
        let default: &[Trained] = found.get("default").map_or(&[], Vec::as_slice);
        let searched: Vec<_> = default.iter().map(|run| &run.searches[..]).collect();
        Results {
            plan: Repetitions::new(&arguments.repeated, corpus),
            models: rows.iter().map(model).collect(),
            differences: against_default.collect(),
            search: if default.is_empty() { BTreeMap::new() } else { over_seeds(&searched) },
            examples: default.first().map(|run| run.examples.clone()).unwrap_or_default(),
            claims: BTreeMap::new(),
            quick: quick::<Chapter>(&Config { sizes: SizeArgs::QUICK, choices: Choices {} }),
            measured: Measured::default(),
        }
    }
}

fn parts(runs: &[Trained]) -> Vec<&[Scores]> {
    runs.iter().map(|run| &run.judgement.scores[..]).collect()
}

impl ModelScores {
    fn of(hidden: usize, corpus: &Corpus, runs: &[Trained]) -> ModelScores {
        let lengths: Vec<_> = runs.iter().map(|run| run.judgement.by_length(corpus)).collect();
        ModelScores {
            hidden,
            parameters: runs[0].judgement.parameters,
            parts: PartScores::by_part(parts(runs)),
            by_length: LengthSpread::by_length(&lengths),
        }
    }
}
