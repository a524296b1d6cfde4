//! The comparison: every row with every seed, scores, differences, claims, figures.

use super::arguments::{CompareArgs, What};
use super::claims::{claims, claims_of_positions};
use super::figures::{by_positions, by_precision, figures};
use super::results::{
    Differences, ModelScores, OfPositions, OfPrecisions, Results, differences, scores,
};
use super::rows::{Row, TURNED, models, positions, precisions, rows};
use super::timing::milliseconds;
use super::trained::{Trained, train};
use seq2seq::program::reverse_sources;
use seq2seq::translating::corpus::Corpus;
use shared::Precision;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::figure::Svg;
use workbench::program::{Table, say};
use workbench::study::{BySeeds, Claim, Findings, Study, publish};
use workbench::training::json;

pub fn compare(arguments: &CompareArgs) -> Result<()> {
    match arguments.what {
        What::Models => models_and_variants(arguments),
        What::Positions => of_positions(arguments, positions(arguments), false),
        What::Turned => {
            let mut rows = positions(arguments);
            rows.retain(|row| TURNED.contains(&&*row.name));
            of_positions(arguments, rows, true)
        }
        What::Precision => of_precisions(arguments),
    }
}

/// Trains and judges rows of [`positions`]; `turned`: on sources read from their ends (whose links are not
/// turned, so that error rates of alignments say nothing).
fn of_positions(arguments: &CompareArgs, rows: Vec<Row>, turned: bool) -> Result<()> {
    let mut corpus = arguments.corpus()?;
    let rows = arguments.study.choose(rows)?;
    if turned {
        reverse_sources(&mut corpus);
    }
    let about = json!({ "texts": corpus.fingerprint(), "batch": arguments.batch });
    let mut study = Study::open(&arguments.study, "transformer", about)?;
    let found =
        study.run(&rows, |row, seed, progress| train(row, seed, &corpus, arguments, progress))?;
    let models = scores(&rows, &corpus, &found);
    let results = OfPositions {
        seeds: arguments.study.seeds(),
        claims: if turned { BTreeMap::new() } else { claims_of_positions(&models) },
        models,
        differences: differences(&rows, &found),
        minutes: study.minutes(),
    };
    publish(&study.output, if turned { "turned.json" } else { "positions.json" }, &results)
}

/// Trains and judges rows of several precisions. These are the process's: what runs side by side has the
/// same.
fn in_precisions(
    study: &mut Study,
    rows: &[Row],
    corpus: &Corpus,
    arguments: &CompareArgs,
) -> Result<BySeeds<Trained>> {
    let mut found = BySeeds::new();
    for precision in [Precision::F32, Precision::Bf16, Precision::Bf16x3] {
        let rows: Vec<Row> =
            rows.iter().filter(|row| row.config.precision == precision).cloned().collect();
        if rows.is_empty() {
            continue;
        }
        precision.begin();
        found.extend(
            study
                .run(&rows, |row, seed, progress| train(row, seed, corpus, arguments, progress))?,
        );
    }
    Precision::F32.begin();
    Ok(found)
}

fn of_precisions(arguments: &CompareArgs) -> Result<()> {
    if !Precision::Bf16x3.is_supported() {
        return Err(Error::argument("--what precision: this processor has no AVX-512 BF16"));
    }
    let corpus = arguments.corpus()?;
    let rows = arguments.study.choose(precisions(arguments, corpus.words()))?;
    let about = json!({ "texts": corpus.fingerprint(), "batch": arguments.batch, "sizes": arguments.sizes });
    let mut study = Study::open(&arguments.study, "transformer", about)?;
    let found = in_precisions(&mut study, &rows, &corpus, arguments)?;
    let results = OfPrecisions {
        seeds: arguments.study.seeds(),
        models: scores(&rows, &corpus, &found),
        differences: differences(&rows, &found),
        minutes: study.minutes(),
        claims: BTreeMap::new(),
    };
    publish(&study.output, "precision.json", &results)
}

fn models_and_variants(arguments: &CompareArgs) -> Result<()> {
    let corpus = arguments.corpus()?;
    let models = models(arguments, corpus.words());
    let chosen = |milliseconds: &[f64]| -> Result<Vec<Row>> {
        let mut chosen =
            arguments.study.choose(rows(arguments, &models, corpus.words(), milliseconds))?;
        chosen.retain(|row| row.config.precision.is_supported());
        Ok(chosen)
    };
    if chosen(&[1.0; 4])?.is_empty() {
        let reason = "--only: this processor has no AVX-512 BF16, and no other row was asked for";
        return Err(Error::argument(reason));
    }
    let about = json!({ "texts": corpus.fingerprint(), "batch": arguments.batch, "sizes": arguments.sizes });
    let mut study = Study::open(&arguments.study, "transformer", about)?;
    let times = study.once("milliseconds", || {
        say("timing a training step of every model");
        milliseconds(&models, &corpus, arguments.batch as usize)
    })?;
    let rows = chosen(&times)?;
    let found = in_precisions(&mut study, &rows, &corpus, arguments)?;
    let mut results = Results::new(arguments, &corpus, &rows, &found);
    results.claims = claims(&results.models);
    let named = models.iter().map(|row| row.name.clone()).zip(times);
    results.measured.milliseconds = named.collect();
    results.measured.minutes = study.minutes();
    for (name, figure) in found.values().flatten().flat_map(|run| &run.figures) {
        study.output.figure(name, figure)?;
    }
    study.publish(&results)
}

impl Findings for Results {
    fn print(&self) {
        print_scores(&self.models, self.seeds.len(), &self.measured.milliseconds);
        print_differences(&self.differences);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        figures(self).into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect()
    }
}

impl Findings for OfPositions {
    fn print(&self) {
        print_scores(&self.models, self.seeds.len(), &BTreeMap::new());
        print_differences(&self.differences);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        if self.claims.is_empty() {
            return Vec::new();
        }
        vec![("positions".to_owned(), by_positions(self))]
    }
}

impl Findings for OfPrecisions {
    fn print(&self) {
        print_scores(&self.models, self.seeds.len(), &BTreeMap::new());
        print_differences(&self.differences);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        by_precision(self).map(|svg| ("precision".to_owned(), svg)).into_iter().collect()
    }
}

fn print_scores(
    models: &BTreeMap<String, ModelScores>,
    seeds: usize,
    milliseconds: &BTreeMap<String, f64>,
) {
    let heads =
        ["row", "parameters", "epochs", "test", "greedy", "long", "compositional", "AER", "ms"];
    let mut table = Table::new(heads);
    for (name, model) in models {
        let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
        let aer = model.parts["test"].aer.as_ref();
        let time = milliseconds.get(name);
        table.row([
            name.clone(),
            model.parameters.to_string(),
            model.epochs.to_string(),
            bleu("test"),
            format!("{:.1}", model.parts["test"].greedy.mean),
            bleu("long"),
            bleu("compositional"),
            aer.map_or("–".to_owned(), |aer| format!("{:.1} %", 100.0 * aer.mean)),
            time.map_or("–".to_owned(), |time| format!("{time:.1}")),
        ]);
    }
    say(format!("BLEU, means over {seeds} seeds\n\n{table}"));
}

fn print_differences(differences: &Differences) {
    let mut table = Table::new(["row", "minus", "part", "BLEU", "95 % of resamplings"]);
    for (row, others) in differences {
        for (other, part, d) in others.iter().flat_map(|(other, parts)| {
            parts.iter().map(move |(part, difference)| (other, part, difference))
        }) {
            table.row([
                row.clone(),
                other.clone(),
                part.clone(),
                format!("{:+.1}", d.estimate),
                format!("{:+.1} to {:+.1}", d.low, d.high),
            ]);
        }
    }
    say(format!("Differences on the same sentences\n\n{table}"));
}
