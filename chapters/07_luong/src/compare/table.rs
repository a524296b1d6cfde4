//! The large table: every mechanism, the claims, the figures.

use super::arguments::Arguments;
use super::claims::{Kind, claims, on_bleu, table_4};
use super::mechanisms::{self, MECHANISMS, Mechanism, NARROW, bahdanau_of, rows};
use super::results::{Comparison, Results, Row};
use super::trained::{Trained, difference, train};
use super::{pictures, reordering, timing};
use crate::choices::Chapter;
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::mean_loss;
use seq2seq::translating::recurrent::{Config, options};
use seq2seq::translating::train_model;
use shared::Module;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::{BySeeds, Findings, Interval, rounded};
use workbench::training::Options;

pub(super) fn table(arguments: &Arguments, corpus: &Corpus) -> Result<()> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    let rows = arguments.repeated.study.choose(rows(arguments, corpus))?;
    let mut study = arguments.study(corpus)?;
    say(format!("{} models with {parameters} parameters", rows.len()));
    let found = train(&mut study, &rows, arguments, corpus)?;
    let measured = study.once("milliseconds", || Ok(timing::measure(corpus, &rows)))?;
    if let Some(figure) = pictures::alignments(&rows, &found) {
        study.output.figure("alignments_1", &figure)?;
    }
    let table = of_rows(&rows, &found);
    let is_whole = arguments.repeated.study.only.is_empty();
    study.publish(&Results {
        claims: claims(&table),
        differences: differences(&rows, &found),
        table_4: if is_whole { table_4(&table) } else { BTreeMap::new() },
        plan: Comparison {
            pairs: arguments.pairs as usize,
            epochs: arguments.repeated.epochs as usize,
            seeds: arguments.repeated.study.seeds as usize,
            hidden: base.hidden,
            embedding: base.embedding,
            parameters,
        },
        rows: table,
        by_displacement: by_displacement(&rows, &found),
        displaced: reordering::count(&corpus.tests[0], NARROW),
        quick: quick()?,
        measured,
    })
}

/// For tests to repeat: the test's loss of small models after two epochs on 300 pairs.
///
/// # Errors
/// When a training fails.
pub fn quick() -> Result<BTreeMap<String, f64>> {
    let corpus = Corpus::generated(300, 1, 0);
    let sizes = Sizes {
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        embedding: 16,
        hidden: 24,
        layers: 1,
        dropout: 0.1,
    };
    let options = Options { epochs: 2, ..options() };
    let loss = |(mechanism, feeding): (Mechanism, bool)| {
        let config = Config::new(&sizes, mechanism.choices(feeding));
        let model = train_model::<Chapter>(&corpus, &config, 32, &options)?.model;
        let name = if feeding { "fed" } else { "plain" };
        Ok((format!("{}_{name}", mechanism.name), mean_loss(&model, &corpus.tests[0])))
    };
    let some = [(MECHANISMS[2], false), (MECHANISMS[2], true), (MECHANISMS[7], true)];
    some.into_iter().map(loss).collect()
}

fn of_rows(
    rows: &[mechanisms::Row],
    found: &BySeeds<Trained>,
) -> BTreeMap<String, BTreeMap<String, Row>> {
    let mut table: BTreeMap<String, BTreeMap<String, Row>> = BTreeMap::new();
    for row in rows {
        let (setup, runs) = (&row.config, &found[&row.name]);
        let of = table.entry(setup.mechanism.to_owned()).or_default();
        of.insert(setup.feeding().to_owned(), Row::new(setup.sizes.embedding, runs));
    }
    table
}

/// By how much the BLEU that a claim wants higher exceeds the other.
fn differences(rows: &[mechanisms::Row], found: &BySeeds<Trained>) -> BTreeMap<String, Interval> {
    let runs = |kind: Kind| {
        let of_kind = |row: &&mechanisms::Row| (row.config.mechanism, row.config.feeding()) == kind;
        rows.iter().find(of_kind).map(|row| &found[&row.name])
    };
    let difference = |(name, less, more): (&str, Kind, Kind)| {
        Some((name.to_owned(), difference(runs(more)?, runs(less)?)))
    };
    on_bleu().filter_map(difference).collect()
}

/// The mean over the seeds, with input feeding.
fn by_displacement(
    rows: &[mechanisms::Row],
    found: &BySeeds<Trained>,
) -> BTreeMap<String, Vec<f64>> {
    let mean = |row: &mechanisms::Row| {
        let runs = &found[&row.name];
        let at = |d: usize| {
            runs.iter().map(|run| run.by_displacement[d]).sum::<f64>() / runs.len() as f64
        };
        let means = (0..runs[0].by_displacement.len()).map(|d| rounded(at(d)));
        (row.config.mechanism.to_owned(), means.collect())
    };
    rows.iter().filter(|row| row.config.feeding() == "fed").map(mean).collect()
}

/// This table's claims are inequalities, which the page prints with their numbers.
impl Findings for Results {
    fn print(&self) {
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
        for (name, kinds) in &self.rows {
            for (kind, row) in kinds {
                let time = self.measured.milliseconds.get(name).and_then(|kinds| kinds.get(kind));
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

    fn figures(&self) -> Vec<(String, Svg)> {
        vec![("displacement".to_owned(), pictures::words_found(&self.by_displacement))]
    }
}
