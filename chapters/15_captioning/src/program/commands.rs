//! The commands.

use super::{caption, train};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};

/// Where does it look while it says "a red ring above a blue square"?
///
/// Trains a model on pictures that the course generates, lets it caption pictures that it has not seen, and
/// shows where it looked for every word.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: train::TrainArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Learn from generated scenes, then caption unseen ones (also done without a command)
    Train(train::TrainArgs),
    /// Caption a PNG picture of your own, 32 × 32 pixels
    Caption(caption::CaptionArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match program.command {
        None => train::train(&program.train),
        Some(Command::Train(arguments)) => train::train(&arguments),
        Some(Command::Caption(arguments)) => caption::caption(&arguments),
    })
}
