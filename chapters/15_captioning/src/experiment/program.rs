//! The commands.

use super::{caption, compare, pooling, train};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};
use workbench::study::StudyArgs;

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
    /// Soft and hard attention, with and without gate and doubly stochastic term, several seeds
    Compare(StudyArgs),
    /// One learnt query against the mean of all places: what colour has the ring?
    Pool(StudyArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match program.command {
        None => train::train(&program.train),
        Some(Command::Train(arguments)) => train::train(&arguments),
        Some(Command::Caption(arguments)) => caption::caption(&arguments),
        Some(Command::Compare(arguments)) => compare::compare(&arguments),
        Some(Command::Pool(arguments)) => pooling::pool(&arguments),
    })
}
