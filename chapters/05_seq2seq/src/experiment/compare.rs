//! Every model with every seed: scores, claims, figures.

use super::arguments::Arguments;
use super::claims::claims;
use super::figures::figures;
use super::results::Results;
use super::trials::{reverse_sources, rows, train};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings};

/// Trains and judges everything, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let corpus = usual.corpus()?;
    let mut backwards = usual.corpus()?;
    reverse_sources(&mut backwards);
    let rows = usual.repeated.study.choose(rows(arguments, &usual.sizes(&corpus)))?;
    let mut study = arguments.study(&corpus)?;
    let found = study.run(&rows, |row, seed, progress| {
        let corpus = if row.config.reversed { &backwards } else { &corpus };
        train(row, seed, corpus, arguments, progress)
    })?;
    let mut results = Results::new(usual, &corpus, &rows, &found);
    results.claims = claims(&results.models, &results.search);
    results.measured.minutes = study.minutes();
    study.publish(&results)
}

impl Findings for Results {
    fn tell(&self) {
        let mut table =
            Table::new(["model", "parameters", "test", "long", "compositional", "exact"]);
        for (name, model) in &self.models {
            let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
            let exact = format!("{:.1} %", 100.0 * model.parts["test"].exact.mean);
            let parameters = model.parameters.to_string();
            table.row([
                name.clone(),
                parameters,
                bleu("test"),
                bleu("long"),
                bleu("compositional"),
                exact,
            ]);
        }
        say(format!("BLEU, means over {} seeds\n\n{table}", self.plan.seeds.len()));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        figures(self).into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
    }
}
