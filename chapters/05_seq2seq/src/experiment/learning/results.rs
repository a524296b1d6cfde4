//! Everything the page quotes of the two changes.

use super::super::decoder::Exposure;
use super::trials::Trained;
use crate::translating::judge::Scores;
use crate::translating::{PartScores, Repetitions, differences};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{BySeeds, Claim, Findings, Interval};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// By name: `simple`, and `in_full` or `own_words`.
    pub models: BTreeMap<String, Model>,
    /// BLEU of a model minus that of the simple one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What it costs to read one's own words, by model.
    pub exposure: BTreeMap<String, Exposure>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Differs from run to run: minutes, those of kept trainings left out.
    pub minutes: f64,
}

/// A model's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Entries of a state.
    pub hidden: usize,
    /// Numbers that are learnt.
    pub parameters: usize,
    /// By part: `test`, `long`, `compositional`.
    pub parts: BTreeMap<String, PartScores>,
}

impl Results {
    /// From what all trainings found; the claims are still to be judged. `other` is held against `simple`.
    pub(super) fn new(
        plan: Repetitions,
        hidden: usize,
        found: &BySeeds<Trained>,
        other: &str,
    ) -> Results {
        let model = |(name, runs): (&String, &Vec<Trained>)| {
            let parameters = runs[0].judgement.parameters;
            (name.clone(), Model { hidden, parameters, parts: PartScores::by_part(parts(runs)) })
        };
        let exposure = |(name, runs): (&String, &Vec<Trained>)| {
            let losses: Vec<_> = runs.iter().map(|run| &run.losses).collect();
            (name.clone(), Exposure::of(&losses))
        };
        let both = found.get(other).zip(found.get("simple"));
        let difference = both
            .map(|(these, those)| (other.to_owned(), differences(&parts(these), &parts(those))));
        Results {
            plan,
            models: found.iter().map(model).collect(),
            differences: difference.into_iter().collect(),
            exposure: found.iter().map(exposure).collect(),
            claims: BTreeMap::new(),
            minutes: 0.0,
        }
    }
}

fn parts(runs: &[Trained]) -> Vec<&[Scores]> {
    runs.iter().map(|run| &run.judgement.scores[..]).collect()
}

impl Findings for Results {
    fn tell(&self) {
        let mut table = Table::new(["model", "parameters", "test", "loss", "after its own words"]);
        for (name, model) in &self.models {
            let (test, exposure) = (&model.parts["test"], &self.exposure[name]);
            table.row([
                name.clone(),
                model.parameters.to_string(),
                format!("{:.1}", test.bleu.mean),
                format!("{:.2}", exposure.all.after_true.mean),
                format!("{:.2}", exposure.all.after_own.mean),
            ]);
        }
        say(format!("BLEU and nats a word, means over {} seeds\n\n{table}", self.plan.seeds.len()));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
