//! The chapter's command.

use super::config::Config;
use super::results::{run as measure, trainings};
use clap::Parser;
use recurrent_networks::experiment::adding::LOOK;
use std::process::ExitCode;
use workbench::program::{Common, Output, parse, progress, run, say};

/// What if a sequence asks itself?
///
/// Measures how much a token looks at itself, what a wrong mask and a shifted place do, how far and
/// how fast a convolution, a recurrence and self-attention connect two tokens; then lets
/// self-attention learn chapter 4's adding problem beside the recurrent cells. Writes figures and
/// results.json.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated with other data and start values; the page shows 3
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds as u64,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// Training steps on the adding problem, rounded down to hundreds
    #[arg(long, value_name = "N", default_value_t = Config::default().steps as u64,
          value_parser = clap::value_parser!(u64).range(LOOK as u64..=1_000_000))]
    steps: u64,
    /// A name of the machine and the day, written beside the measured times
    #[arg(long, value_name = "TEXT", default_value = "")]
    machine: String,
}

/// Runs the experiment: `cargo run --release -p self_attention`.
pub fn program() -> ExitCode {
    let Arguments { common, seeds, steps, machine } = parse();
    run(|| {
        let output = Output::open(&common, "self_attention")?;
        let config = Config {
            seed: common.seed,
            seeds: seeds as usize,
            steps: steps as usize / LOOK * LOOK,
            machine,
        };
        let bar = progress(trainings(&config) as u64, "trainings");
        bar.set_message("the longest come first");
        bar.enable_steady_tick(std::time::Duration::from_secs(1));
        let results = measure(&config, || bar.inc(1))?;
        bar.finish_and_clear();
        results.sections().iter().for_each(|section| section.report());
        results.claims.values().for_each(say);
        for (name, figure) in results.figures() {
            output.figure(name, &figure)?;
        }
        output.results(&results)?;
        say(format!("\nFigures and results.json are in {}", output.folder().display()));
        Ok(())
    })
}
