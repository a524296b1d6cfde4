//! The table: several trainings a row.

use super::jobs::{Done, Job, bahdanau_of, feeding};
use super::results::{Results, Row, Run, round};
use crate::choices::build;
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::program::{Table, say};

pub(super) fn rows(jobs: &[Job], done: &[Done]) -> BTreeMap<String, BTreeMap<String, Row>> {
    let mut runs: BTreeMap<(String, String), (&Job, Vec<Run>)> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done) {
        let key = (job.name.to_owned(), feeding(job).to_owned());
        runs.entry(key).or_insert_with(|| (job, Vec::new())).1.push(done.run);
    }
    let mut rows: BTreeMap<String, BTreeMap<String, Row>> = BTreeMap::new();
    for ((name, feeding), (job, seeds)) in runs {
        let parameters = match &job.choices {
            Some(choices) => build(&job.sizes, choices, &mut rng(0)).parameter_count(),
            None => bahdanau_of(&job.sizes).parameter_count(),
        };
        let row = Row::new(job.sizes.embedding, parameters, seeds);
        rows.entry(name).or_default().insert(feeding, row);
    }
    rows
}

/// The mean over the seeds.
pub(super) fn by_displacement(jobs: &[Job], done: &[Done]) -> BTreeMap<String, Vec<f64>> {
    let mut shares: BTreeMap<String, Vec<&[f64]>> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done).filter(|(job, _)| feeding(job) == "fed") {
        shares.entry(job.name.to_owned()).or_default().push(&done.by_displacement);
    }
    let mean = |curves: Vec<&[f64]>| {
        let at = |d: usize| curves.iter().map(|curve| curve[d]).sum::<f64>() / curves.len() as f64;
        (0..curves[0].len()).map(|d| round(at(d))).collect()
    };
    shares.into_iter().map(|(name, curves)| (name, mean(curves))).collect()
}

pub(super) fn print(results: &Results) {
    let mut table = Table::new([
        "mechanism",
        "fed",
        "parameters",
        "perplexity",
        "BLEU",
        "AER",
        "long",
        "near",
        "displaced",
        "ms",
    ]);
    for (name, kinds) in &results.rows {
        for (kind, row) in kinds {
            let time = results.measured.milliseconds.get(name).and_then(|kinds| kinds.get(kind));
            let mean = &row.mean;
            table.row([
                name.clone(),
                if kind == "fed" { "yes" } else { "no" }.to_owned(),
                row.parameters.to_string(),
                format!("{:.3}", mean.perplexity),
                format!("{:.1} ± {:.1}", mean.bleu, row.spread.bleu),
                format!("{:.1} %", mean.aer * 100.0),
                format!("{:.1}", mean.long),
                format!("{:.1}", mean.near.bleu),
                format!("{:.1}", mean.displaced.bleu),
                time.map_or("–".to_owned(), |time| format!("{time:.1}")),
            ]);
        }
    }
    say(table);
}
