//! The commands.

use super::{predict, train};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};

/// How little has to be learnt anew?
///
/// Puts one new layer on top of a BERT and trains both on labelled examples: of a task that the course
/// generates (--task), or your own (--data). Reports the accuracy on a test, beside
/// that of counting words.
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
    /// Learn from labelled examples, then report how well it went (also done without a command)
    Train(Box<train::TrainArgs>),
    /// Predict the labels of a file's examples
    Predict(predict::PredictArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match program.command {
        None => train::train(&program.train),
        Some(Command::Train(arguments)) => train::train(&arguments),
        Some(Command::Predict(arguments)) => predict::predict(&arguments),
    })
}
