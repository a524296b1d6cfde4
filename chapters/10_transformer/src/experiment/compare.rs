//! The comparison: every row with every seed, scores, differences, claims, figures.

use super::arguments::CompareArgs;
use super::claims::claims;
use super::figures::figures;
use super::results::Results;
use super::rows::{EQUAL_TIME, MODELS, Row, VARIANTS, models, rows, unknown};
use super::timing::milliseconds;
use super::trials::{self, Judged, Trial};
use shared::Precision;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::program::{Output, Table, say};
use workbench::study::side_by_side;

/// Trains and judges everything, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &CompareArgs) -> Result<()> {
    if let Some(name) = unknown(&arguments.only) {
        let known = [&MODELS[..], &EQUAL_TIME, &VARIANTS].concat().join(", ");
        return Err(Error::argument(format!("--only {name}: no such row; there are {known}")));
    }
    let output = Output::open(&arguments.common, "transformer")?;
    let begin = Instant::now();
    let corpus = arguments.corpus()?;
    let models = models(arguments, corpus.words());
    say("timing a training step of every model");
    let times = milliseconds(&models, &corpus, arguments.batch as usize)?;
    let rows = rows(arguments, &models, &times);
    if rows.is_empty() {
        let reason = "--only: this processor has no AVX-512 BF16, and no other row was asked for";
        return Err(Error::argument(reason));
    }
    let run = |trial: &Trial, progress: &_| trial.run(&corpus, arguments, progress);
    let mut judged: Vec<Judged> = Vec::new();
    for precision in [Precision::F32, Precision::Bf16] {
        // The process's: what runs side by side has the same.
        let rows: Vec<Row> =
            rows.iter().filter(|row| row.precision == precision).cloned().collect();
        let trials = trials::all(&rows, &arguments.seeds());
        let epochs = trials.iter().map(|trial| trial.row.epochs).sum();
        if !trials.is_empty() {
            precision.begin();
            judged.extend(side_by_side("comparing", &trials, epochs, run)?);
        }
    }
    Precision::F32.begin();
    let mut results = Results::new(arguments, &corpus, &rows, &judged);
    results.claims = claims(&results.models);
    let named = models.iter().map(|row| row.name.to_owned()).zip(times);
    results.measured.milliseconds = named.collect();
    results.measured.minutes = (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0;
    tell(&results);
    for (name, figure) in figures(&results) {
        output.figure(name, &figure)?;
    }
    for (name, figure) in judged.iter().flat_map(|run| &run.figures) {
        output.figure(name, figure)?;
    }
    output.results(&results)?;
    say(format!("figures and results.json are in {}", output.folder().display()));
    Ok(())
}

fn tell(results: &Results) {
    let heads =
        ["row", "parameters", "epochs", "test", "greedy", "long", "compositional", "AER", "ms"];
    let mut table = Table::new(heads);
    for (name, model) in &results.models {
        let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
        let aer = model.parts["test"].aer.as_ref();
        let time = results.measured.milliseconds.get(name);
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
    say(format!("BLEU, means over {} seeds\n\n{table}", results.seeds.len()));
    let mut table = Table::new(["row", "minus", "part", "BLEU", "95 % of resamplings"]);
    for (row, others) in &results.differences {
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
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
