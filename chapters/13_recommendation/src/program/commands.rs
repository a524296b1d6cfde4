//! The commands.

use super::recommend::{RecommendArgs, recommend};
use super::train::{TrainArgs, train};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};

/// What will they want next, and why?
///
/// Trains a recommender on a generated shop, whose customers have reasons, or on your own
/// interactions (--data). Judges it by three rulers beside what only counts, and shows ten items with
/// the actions that speak for each.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: TrainArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Train one model, judge it, explain a recommendation (also done without a command)
    Train(Box<TrainArgs>),
    /// Ten items for a history, with the actions that speak for each
    Recommend(RecommendArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match &program.command {
        None => train(&program.train),
        Some(Command::Train(arguments)) => train(arguments),
        Some(Command::Recommend(arguments)) => recommend(arguments),
    })
}
