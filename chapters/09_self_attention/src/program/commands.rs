//! The chapter's command.

use super::config::Config;
use super::{parallel, results};
use clap::{Args, Parser, Subcommand};
use recurrent_networks::program::adding::LOOK;
use std::process::ExitCode;
use workbench::error::Result;
use workbench::program::{Common, Output, parse, run};
use workbench::study::publish;

/// What if a sequence asks itself?
///
/// Measures how much a token looks at itself, what a wrong mask does and what positions say of
/// distances; then lets self-attention learn chapter 4's adding problem beside the recurrent cells,
/// find what a pronoun stands for, and fill in masked words. Writes figures and results.json.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    experiment: ExperimentArgs,
}

#[derive(Subcommand)]
enum Command {
    /// What of a training step can be done at the same time: writes parallel.json and a figure
    Parallel(ParallelArgs),
}

#[derive(Args)]
struct ExperimentArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    config: Config,
}

#[derive(Args)]
struct ParallelArgs {
    #[command(flatten)]
    common: Common,
    /// A name of the machine and the day, written beside the measured times
    #[arg(long, value_name = "TEXT", default_value = "")]
    machine: String,
}

const NAME: &str = "self_attention";

/// Runs the experiment: `cargo run --release -p self_attention`.
pub fn program() -> ExitCode {
    let Program { command, experiment } = parse();
    run(|| match command {
        None => measure(experiment),
        Some(Command::Parallel(ParallelArgs { common, machine })) => {
            let output = Output::open(&common, NAME)?;
            output.will_write("parallel.json")?;
            publish(&output, "parallel.json", &parallel::measure(common.seed, machine)?)
        }
    })
}

fn measure(ExperimentArgs { common, config }: ExperimentArgs) -> Result<()> {
    let output = Output::open(&common, NAME)?;
    let steps = config.steps / LOOK * LOOK;
    let config = Config { seed: common.seed, steps, ..config };
    publish(&output, "results.json", &results::run(&config)?)
}
