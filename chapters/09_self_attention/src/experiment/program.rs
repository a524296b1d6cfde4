//! The chapter's command.

use super::config::Config;
use super::results;
use clap::Parser;
use recurrent_networks::experiment::adding::LOOK;
use std::process::ExitCode;
use workbench::program::{Common, Output, parse, run};
use workbench::study::publish;

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
        publish(&output, "results.json", &results::run(&config)?)
    })
}
