//! The comparison: both models with every seed, scores, claims, figures.

use super::claims::claims;
use super::figures::figures;
use super::results::Results;
use super::trials::{self, Judged, Trial};
use seq2seq::translating::recurrent::CompareArgs;
use seq2seq::translating::side_by_side;
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, Table, say};

/// With and without attention on equal parameters, with every seed.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &CompareArgs) -> Result<()> {
    let output = Output::open(&arguments.repeated.common, "bahdanau")?;
    let begin = Instant::now();
    let corpus = arguments.corpus()?;
    let sizes = arguments.sizes(&corpus);
    let trials = trials::all(&sizes, &arguments.repeated.seeds());
    let epochs = trials.len() * arguments.repeated.epochs as usize;
    let run = |trial: &Trial, progress: &_| trial.run(&corpus, arguments, progress);
    let judged: Vec<Judged> = side_by_side("with and without", &trials, epochs, run)?;
    let mut results = Results::new(arguments, &corpus, &judged);
    results.claims = claims(&results.models, &results.looks);
    results.measured.minutes = (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0;
    tell(&results);
    for (name, figure) in figures(&results) {
        output.figure(name, &figure)?;
    }
    let drawn = judged.iter().find(|run| !run.alignments.is_empty());
    for (number, figure) in drawn.iter().flat_map(|run| &run.alignments).enumerate() {
        output.figure(&format!("alignment_{}", number + 1), figure)?;
    }
    output.results(&results)?;
    say(format!("figures and results.json are in {}", output.folder().display()));
    Ok(())
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
