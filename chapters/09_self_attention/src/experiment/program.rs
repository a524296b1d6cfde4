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
    #[command(flatten)]
    config: Config,
}

/// Runs the experiment: `cargo run --release -p self_attention`.
pub fn program() -> ExitCode {
    let Arguments { common, config } = parse();
    run(|| {
        let output = Output::open(&common, "self_attention")?;
        let steps = config.steps / LOOK * LOOK;
        let config = Config { seed: common.seed, steps, ..config };
        publish(&output, "results.json", &results::run(&config)?)
    })
}
