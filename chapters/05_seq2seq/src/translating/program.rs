//! The program that the translating chapters share: `train`, `translate`, `compare`, `bench`.

use super::recipe::Recipe;
use super::{bench, train, translate, translate_file};
use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse_command, run};

#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program<R: Recipe> {
    #[command(subcommand)]
    command: Option<Command<R>>,
    #[command(flatten)]
    train: train::TrainArgs<R>,
}

#[derive(Subcommand)]
enum Command<R: Recipe> {
    /// Learn to translate, then tell how well it went (also done without a command)
    Train(train::TrainArgs<R>),
    /// Translate a sentence with the model that `train` left, and draw the alignment; or a file
    Translate(translate::TranslateArgs),
    /// What the chapter's page compares, over several seeds
    Compare(R::Compare),
    /// Time full training steps on random words
    Bench(bench::BenchArgs<R::Preset>),
}

/// The program of a chapter.
pub fn main<R: Recipe>(about: &'static str, long_about: &'static str) -> ExitCode {
    let command = Program::<R>::command().about(about).long_about(long_about);
    let program: Program<R> = parse_command(command);
    run(|| match program.command {
        None => train::train::<R>(&program.train),
        Some(Command::Train(arguments)) => train::train::<R>(&arguments),
        Some(Command::Translate(arguments)) if arguments.file.is_some() => {
            translate_file::translate_file::<R>(&arguments)
        }
        Some(Command::Translate(arguments)) => translate::translate::<R>(&arguments),
        Some(Command::Compare(arguments)) => R::compare(&arguments),
        Some(Command::Bench(arguments)) => bench::bench::<R>(&arguments),
    })
}
