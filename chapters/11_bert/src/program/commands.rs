//! The commands.

use super::asking::{EmbedArgs, FillArgs, ViewArgs, embed, fill, view};
use super::bench::{BenchArgs, bench};
use super::pretraining::{PretrainArgs, pretrain};
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};

/// What can be learnt from text alone?
///
/// Pre-trains a BERT on documents of a small world that the course generates, or on your text
/// (--corpus), reports how well it predicts masked tokens and whether one text follows another, and
/// draws where it looks.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    pretrain: PretrainArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Learn from text alone, then report how well it went (also done without a command)
    Pretrain(Box<PretrainArgs>),
    /// Predict the token at [MASK]
    Fill(FillArgs),
    /// Print a vector for every line of a file
    Embed(EmbedArgs),
    /// Write a page that shows where every head looks
    View(ViewArgs),
    /// Time full training steps on random pieces
    Bench(BenchArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match program.command {
        None => pretrain(&program.pretrain),
        Some(Command::Pretrain(arguments)) => pretrain(&arguments),
        Some(Command::Fill(arguments)) => fill(&arguments),
        Some(Command::Embed(arguments)) => embed(&arguments),
        Some(Command::View(arguments)) => view(&arguments),
        Some(Command::Bench(arguments)) => bench(&arguments),
    })
}
