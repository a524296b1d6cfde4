//! The comparisons of the page: with and without attention, the square, and what a model looks at.

use super::claims::claims;
use super::figures::figures;
use super::inside;
use super::results::Results;
use super::square;
use super::trials::{self, DRAWN, Judged, Trial};
use clap::{Args, ValueEnum};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::CompareArgs;
use std::path::PathBuf;
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, Table, say};
use workbench::study::side_by_side;
use workbench::training::Options;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Compare {
    /// What the chapters have in common.
    #[command(flatten)]
    pub common: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Gain)]
    pub what: What,
    /// Keep every training in this folder, and go on with those that are in it
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// With and without attention
    Gain,
    /// Attention or none, a source that is read in both directions or forwards
    Square,
    /// Where models with attention look, what their annotations know, and what becomes of their
    /// words when that is changed
    Inside,
}

impl Compare {
    /// How a model is trained with a seed; `name` is its folder among those that are kept.
    pub(super) fn options(&self, name: &str, seed: u64) -> Options {
        let checkpoint = self.keep.as_ref().map(|keep| keep.join(format!("{name}_{seed}")));
        Options { resume: checkpoint.is_some(), checkpoint, ..self.common.options(seed) }
    }
}

/// One of the page's comparisons.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &Compare) -> Result<()> {
    let output = Output::open(&arguments.common.repeated.common, "bahdanau")?;
    let begin = Instant::now();
    let corpus = arguments.common.corpus()?;
    match arguments.what {
        What::Gain => gain(arguments, &corpus, &output, begin)?,
        What::Square => square::run(arguments, &corpus, &output, begin)?,
        What::Inside => inside::run(arguments, &corpus, &output, begin)?,
    }
    say(format!("figures and results.json are in {}", output.folder().display()));
    Ok(())
}

/// Minutes since then, with a digit behind the point.
pub(super) fn minutes_since(begin: Instant) -> f64 {
    (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0
}

/// With and without attention on equal parameters, with every seed.
fn gain(arguments: &Compare, corpus: &Corpus, output: &Output, begin: Instant) -> Result<()> {
    let common = &arguments.common;
    let trials = trials::all(&common.sizes(corpus), &common.repeated.seeds());
    let epochs = trials.len() * common.repeated.epochs as usize;
    let run = |trial: &Trial, progress: &_| trial.run(corpus, arguments, progress);
    let judged: Vec<Judged> = side_by_side("with and without", &trials, epochs, run)?;
    let mut results = Results::new(common, corpus, &judged);
    results.claims = claims(&results.models, &results.looks);
    results.measured.minutes = minutes_since(begin);
    tell(&results);
    for (name, figure) in figures(&results) {
        output.figure(name, &figure)?;
    }
    let drawn = judged.iter().find(|run| !run.alignments.is_empty());
    for (number, figure) in DRAWN.iter().zip(drawn.iter().flat_map(|run| &run.alignments)) {
        output.figure(&format!("alignment_{number}"), figure)?;
    }
    output.results(&results)
}

fn tell(results: &Results) {
    let heads = ["model", "parameters", "test", "long", "compositional", "exact", "AER"];
    let mut table = Table::new(heads);
    for (name, model) in &results.models {
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
    say(format!("BLEU, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
