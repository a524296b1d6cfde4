//! The commands.

use super::{answer, train};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};

/// Where is the apple, if anna took it and went to the garden?
///
/// Trains an end-to-end memory network on stories that the course generates, or on files of the
/// published form, and shows for some questions where each hop looks.
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
    /// Learn from stories, then answer questions about new ones (also done without a command)
    Train(Box<train::TrainArgs>),
    /// Answer questions about a story of your own
    Answer(answer::AnswerArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match program.command {
        None => train::train(&program.train),
        Some(Command::Train(arguments)) => train::train(&arguments),
        Some(Command::Answer(arguments)) => answer::answer(&arguments),
    })
}
