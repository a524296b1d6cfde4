//! The program that the translating chapters share: `train`, `translate`, `compare`, `bench`.

use super::{bench, train, translate, translate_file};
use crate::translating::training::recipe::Benched;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use workbench::error::Result;
use workbench::program::{parse_command, run};

#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program<R: Benched, A: Args> {
    #[command(subcommand)]
    command: Option<Command<R, A>>,
    #[command(flatten)]
    train: train::TrainArgs<R>,
}

#[derive(Subcommand)]
enum Command<R: Benched, A: Args> {
    /// Learn to translate, then report how well it went (also done without a command)
    Train(train::TrainArgs<R>),
    /// Translate a sentence with the model that `train` left, and draw the alignment; or a file
    Translate(translate::TranslateArgs),
    /// What the chapter's page compares, over several seeds
    Compare(A),
    /// Time full training steps on random words
    Bench(bench::BenchArgs<R::Preset>),
}

/// The program of a chapter: what it is about in a line and in full, and its comparison.
pub fn main<R: Benched, A: Args>(
    about: &'static str,
    long_about: &'static str,
    compare: impl FnOnce(&A) -> Result<()>,
) -> ExitCode {
    let command = Program::<R, A>::command().about(about).long_about(long_about);
    let program: Program<R, A> = parse_command(command);
    run(|| match program.command {
        None => train::train::<R>(&program.train),
        Some(Command::Train(arguments)) => train::train::<R>(&arguments),
        Some(Command::Translate(arguments)) if arguments.file.is_some() => {
            translate_file::translate_file::<R>(&arguments)
        }
        Some(Command::Translate(arguments)) => translate::translate::<R>(&arguments),
        Some(Command::Compare(arguments)) => compare(&arguments),
        Some(Command::Bench(arguments)) => bench::bench::<R>(&arguments),
    })
}
