//! With and without attention on equal parameters.

use super::arguments::Compare;
use super::claims::claims;
use super::figures::figures;
use super::results::Results;
use super::rows::{Corner, Training};
use seq2seq::translating::corpus::Corpus;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings};

/// Trains and judges both with every seed, and writes what the page quotes.
pub(super) fn gain(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let common = &arguments.common;
    let (sizes, epochs) = (common.sizes(corpus), common.repeated.epochs);
    let both = [Corner::Attention, Corner::FixedForward];
    let rows = both.map(|corner| corner.row(&sizes, epochs, None)).to_vec();
    let rows = common.repeated.study.choose(rows)?;
    if rows.len() < both.len() {
        return Err(Error::argument("--only: one of two models is held against the other"));
    }
    let mut study = arguments.study(corpus)?;
    let found = study.run(&rows, |row, seed, progress| {
        Training { row, seed, corpus, arguments, progress }.run()
    })?;
    let mut results = Results::new(common, corpus, &rows, &found);
    results.claims = claims(&results.models, &results.looks);
    results.measured.minutes = study.minutes();
    for (name, figure) in found["with"].iter().flat_map(|run| &run.figures) {
        study.output.figure(name, figure)?;
    }
    study.publish(&results)
}

impl Findings for Results {
    fn tell(&self) {
        let heads = ["model", "parameters", "test", "long", "compositional", "exact", "AER"];
        let mut table = Table::new(heads);
        for (name, model) in &self.models {
            let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
            let percent = |x: f64| format!("{:.1} %", 100.0 * x);
            let aer = model.parts["test"].aer.as_ref();
            table.row([
                name.clone(),
                model.parameters.to_string(),
                bleu("test"),
                bleu("long"),
                bleu("compositional"),
                percent(model.parts["test"].exact.mean),
                aer.map_or("–".to_owned(), |aer| percent(aer.mean)),
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
