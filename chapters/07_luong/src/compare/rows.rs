//! The table: several trainings a row.

use super::claims::{Kind, on_bleu};
use super::jobs::{Done, Job, bahdanau_of, feeding};
use super::results::{Results, Row, round, system};
use super::worth::Worth;
use crate::choices::build;
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{Bootstrap, Interval};

pub(super) fn rows(jobs: &[Job], done: &[Done]) -> BTreeMap<String, BTreeMap<String, Row>> {
    let mut rows: BTreeMap<String, BTreeMap<String, Row>> = BTreeMap::new();
    for (kind, (job, worths)) in by_kind(jobs, done) {
        let parameters = match &job.choices {
            Some(choices) => build(&job.sizes, choices, &mut rng(0)).parameter_count(),
            None => bahdanau_of(&job.sizes).parameter_count(),
        };
        let row = Row::new(job.sizes.embedding, parameters, &worths);
        rows.entry(kind.0.to_owned()).or_default().insert(kind.1.to_owned(), row);
    }
    rows
}

/// Every kind of model with its trainings, seed by seed.
fn by_kind<'a>(jobs: &'a [Job], done: &'a [Done]) -> BTreeMap<Kind, (&'a Job, Vec<&'a Worth>)> {
    let mut kinds: BTreeMap<Kind, (&Job, Vec<&Worth>)> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done) {
        let kind = kinds.entry((job.name, feeding(job))).or_insert_with(|| (job, Vec::new()));
        kind.1.push(&done.worth);
    }
    kinds
}

/// By how much the BLEU that a claim wants higher exceeds the other; the same drawn sentences for
/// every claim.
pub(super) fn differences(jobs: &[Job], done: &[Done]) -> BTreeMap<String, Interval> {
    let kinds = by_kind(jobs, done);
    let difference = |(name, less, more): (&str, Kind, Kind)| {
        let [less, more] = [kinds.get(&less)?, kinds.get(&more)?].map(|(_, of)| system(of, 0));
        let found = Bootstrap::default().difference(&more, &less, &mut rng(0));
        Some((name.to_owned(), found.rounded()))
    };
    on_bleu().filter_map(difference).collect()
}

/// The mean over the seeds.
pub(super) fn by_displacement(jobs: &[Job], done: &[Done]) -> BTreeMap<String, Vec<f64>> {
    let mut shares: BTreeMap<String, Vec<&[f64]>> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done).filter(|(job, _)| feeding(job) == "fed") {
        shares.entry(job.name.to_owned()).or_default().push(&done.worth.by_displacement);
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
        "chrF",
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
                format!("{:.1}", mean.chrf),
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
