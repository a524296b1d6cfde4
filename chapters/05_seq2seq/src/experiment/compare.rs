//! Every trial with every seed: scores, claims, figures.

use super::arguments::Arguments;
use super::claims::claims;
use super::figures::figures;
use super::results::Results;
use super::trials::{reverse_sources, trials};
use std::time::Instant;
use workbench::error::Result;
use workbench::program::{Output, Table, say};
use workbench::study::side_by_side;

/// Trains and judges everything, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let output = Output::open(&usual.repeated.common, "seq2seq")?;
    let begin = Instant::now();
    let corpus = usual.corpus()?;
    let mut backwards = usual.corpus()?;
    reverse_sources(&mut backwards);
    let sizes = usual.sizes(&corpus);
    let (jobs, epochs) = (trials(&sizes, &usual.repeated.seeds()), usual.repeated.epochs as usize);
    let judged = side_by_side("trials", &jobs, jobs.len() * epochs, |trial, progress| {
        let corpus = if trial.reversed { &backwards } else { &corpus };
        trial.run(corpus, arguments, progress)
    })?;
    let mut results = Results::new(usual, &corpus, &judged);
    results.claims = claims(&results.models, &results.search);
    results.measured.minutes = begin.elapsed().as_secs_f64() / 60.0;
    tell(&results);
    for (name, figure) in figures(&results) {
        output.figure(name, &figure)?;
    }
    output.results(&results)?;
    say(format!("figures and results.json are in {}", output.folder().display()));
    Ok(())
}

fn tell(results: &Results) {
    let mut table = Table::new(["model", "parameters", "test", "long", "compositional", "exact"]);
    for (name, model) in &results.models {
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
    say(format!("BLEU, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
