//! Two changes of the chapter's model: a last layer that sees the word before and the context too,
//! and a training in which the decoder reads words of its own.

mod trials;

pub use trials::Change;

use super::arguments::Arguments;
use super::decoder::Exposure;
use crate::translating::{ModelScores, Repetitions, differences};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trials::{Trained, train};
use workbench::error::Result;
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings, Interval, over_seeds, smaller};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    #[serde(flatten)]
    pub plan: Repetitions,
    /// `simple`, and `in_full` or `own_words`.
    pub models: BTreeMap<String, ModelScores>,
    /// BLEU of a model minus that of the simple one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// What it costs to read one's own words, by model.
    pub exposure: BTreeMap<String, Exposure>,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

/// Holds a changed model against the chapter's, with every seed.
pub(super) fn compare(name: &'static str, change: Change, arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let corpus = usual.corpus()?;
    let sizes = usual.sizes(&corpus);
    let rows = [("simple", Change::Nothing, None), (name, change, Some("simple"))];
    let rows = rows
        .map(|(name, change, against)| usual.repeated.row(name, (sizes.clone(), change), against));
    let rows = usual.repeated.study.choose(rows.into())?;
    let mut study = arguments.study(&corpus)?;
    let found = study.run(&rows, |row, seed, progress| {
        let training = usual.training(&row.name, seed, &corpus, progress);
        train(training, &row.config, &usual.repeated)
    })?;
    let exposure = |(name, runs): (&String, &Vec<Trained>)| {
        let losses: Vec<_> = runs.iter().map(|run| &run.more.losses).collect();
        (name.clone(), over_seeds(&losses))
    };
    let both = found.get(name).zip(found.get("simple")).map(|(these, those)| {
        (name.to_owned(), differences(&Trained::scores(these), &Trained::scores(those)))
    });
    let model = |(name, runs): (&String, &Vec<Trained>)| {
        (name.clone(), ModelScores::new(sizes.hidden, runs))
    };
    let mut results = Results {
        plan: Repetitions::new(&usual.repeated, &corpus),
        models: found.iter().map(model).collect(),
        differences: both.into_iter().collect(),
        exposure: found.iter().map(exposure).collect(),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}

impl Findings for Results {
    fn print(&self) {
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

/// Judges what was expected before the first run, if neither model is missing.
pub fn claims(results: &Results) -> BTreeMap<String, Claim> {
    let Some(other) = results.differences.keys().next() else { return BTreeMap::new() };
    let own = |name: &str| &results.exposure[name].all.after_own.of_seeds;
    let bleu = |name: &str| &results.models[name].parts["test"].bleu.of_seeds;
    let seeds = smaller(bleu("simple"), bleu(other));
    let sentences = results.differences[other]["test"].is_positive();
    let higher = seeds.filter(|_| seeds == sentences); // where both say the same
    if other == "in_full" {
        return workbench::claims([(
            "in_full",
            "a last layer that sees the word before and the context raises BLEU on the test part",
            higher,
        )]);
    }
    workbench::claims([
        (
            "scheduled_loss",
            "scheduled sampling lowers the loss after the model's own words",
            smaller(own("own_words"), own("simple")),
        ),
        ("scheduled", "scheduled sampling raises BLEU on the test part", higher),
    ])
}
