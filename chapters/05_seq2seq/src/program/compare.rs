//! Every model with every seed: scores, claims, figures.

use super::arguments::Arguments;
use super::claims::claims;
use super::recipe::{Chapter, Choices};
use super::searches::{Search, held};
use super::trials::{Row, Trained, reverse_sources, rows, train};
use crate::translating::recurrent::{Config, SizeArgs};
use crate::translating::{Example, ModelScores, Quick, Repetitions, compared, differences, quick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Svg, colour};
use workbench::program::{Table, say};
use workbench::study::{self, Claim, Findings, Interval};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    #[serde(flatten)]
    pub plan: Repetitions,
    /// `default`, `hidden_32` … and `reversed`.
    pub models: BTreeMap<String, ModelScores>,
    /// BLEU of a model minus that of the default one, by part.
    pub differences: BTreeMap<String, BTreeMap<String, Interval>>,
    /// The default model on the test part, by way of searching.
    pub search: BTreeMap<String, Search>,
    /// What the first seed's default model makes of the course's examples.
    pub examples: Vec<Example>,
    pub claims: BTreeMap<String, Claim>,
    pub quick: Quick,
    pub measured: Measured,
}

/// What depends on the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub minutes: f64,
}

pub(super) fn compare(arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let corpus = usual.corpus()?;
    let mut backwards = usual.corpus()?;
    reverse_sources(&mut backwards);
    let rows = usual.repeated.study.choose(rows(&usual.repeated, &usual.sizes(&corpus)))?;
    let mut study = arguments.study(&corpus)?;
    let found = study.run(&rows, |row, seed, progress| {
        let corpus = if row.config.reversed { &backwards } else { &corpus };
        train(&usual.training(&row.name, seed, corpus, progress), &row.config.sizes)
    })?;
    let model = |row: &Row| {
        let (hidden, runs) = (row.config.sizes.hidden, &found[&row.name]);
        (row.name.clone(), ModelScores::new(hidden, runs).with_lengths(runs, &corpus))
    };
    let all = study::differences(&rows, &found, |these, those| {
        differences(&Trained::scores(these), &Trained::scores(those))
    });
    let against_default = all
        .into_iter()
        .map(|(row, mut others)| (row, others.remove("default").unwrap_or_default()));
    let default: &[Trained] = found.get("default").map_or(&[], Vec::as_slice);
    let searches: Vec<_> = default.iter().map(|run| &run.more.searches[..]).collect();
    let models = rows.iter().map(model).collect();
    let four = |_: &str| "width_4".to_owned();
    let search = if default.is_empty() { BTreeMap::new() } else { held(&searches, four) };
    study.publish(&Results {
        plan: Repetitions::new(&usual.repeated, &corpus),
        claims: claims(&models, &search),
        models,
        differences: against_default.collect(),
        search,
        examples: default.first().map(|run| run.more.examples.clone()).unwrap_or_default(),
        quick: quick::<Chapter>(&Config { sizes: SizeArgs::QUICK, choices: Choices {} }),
        measured: Measured { minutes: study.minutes() },
    })
}

impl Findings for Results {
    fn print(&self) {
        let mut table =
            Table::new(["model", "parameters", "test", "long", "compositional", "exact"]);
        for (name, model) in &self.models {
            let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
            let exact = format!("{:.1} %", 100.0 * model.parts["test"].exact.mean);
            let [test, long, compositional] = ["test", "long", "compositional"].map(bleu);
            let parameters = model.parameters.to_string();
            table.row([name.clone(), parameters, test, long, compositional, exact]);
        }
        say(format!("BLEU, means over {} seeds\n\n{table}", self.plan.seeds.len()));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        let drawn = [("by_length", by_length(self)), ("context", context(self))];
        drawn.map(|(name, figure)| (name.to_owned(), figure)).into()
    }
}

fn by_length(results: &Results) -> Svg {
    let models = [
        ("read forwards", "default", colour::WITHOUT_ATTENTION),
        ("read backwards", "reversed", colour::BACKWARDS),
    ];
    let lengths = |name: &str| Some(&results.models.get(name)?.by_length[..]);
    let models =
        models.into_iter().filter_map(|(label, name, of)| Some((label, lengths(name)?, of)));
    compared::by_length("BLEU by length", &models.collect::<Vec<_>>())
}

fn context(results: &Results) -> Svg {
    let sizes = ["hidden_256", "default", "hidden_64", "hidden_32"];
    let models: Vec<_> = sizes.iter().filter_map(|size| results.models.get(*size)).collect();
    let names: Vec<_> = models.iter().map(|model| format!("{} numbers", model.hidden)).collect();
    let lines: Vec<_> = (names.iter().zip(models))
        .map(|(name, model)| (name.as_str(), model.by_length.as_slice(), colour::WITHOUT_ATTENTION))
        .collect();
    compared::by_length_in_depths("The larger the context, the better, at any length", &lines)
}
