//! The program that chapters 5 to 7 share: `train`, `translate`, `compare`, `bench`.
//!
//! A chapter says what its model is made of ([`Recipe`]); the rest is the same for all, so that
//! their numbers can be compared.

mod bench;
mod files;
mod report;
mod runs;
mod train;
mod translate;

pub use bench::columns_of;
pub use files::Trained;
pub use report::{Example, alignment_figure, example};
pub use runs::{CompareArgs, Progress, side_by_side};
pub use train::{SizeArgs, TrainArgs, Trained as TrainedRun, options, train_model};

use crate::translator::Translator;
use crate::{Batch, Sizes};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde::{Serialize, de::DeserializeOwned};
use shared::Rng;
use std::process::ExitCode;
use workbench::error::Result;
use workbench::program::run;

/// What a chapter adds to the common program.
pub trait Recipe {
    /// The package, which also names the output folder.
    const CHAPTER: &'static str;
    /// The model.
    type Model: Translator;
    /// What can be chosen of it beside its sizes.
    type Choices: Args + Clone + Serialize + DeserializeOwned + PartialEq + Sync;
    /// Arguments of `compare`.
    type Compare: Args;

    /// A model with random parameters.
    fn build(sizes: &Sizes, choices: &Self::Choices, rng: &mut Rng) -> Self::Model;

    /// The choices with which the textbook programs this model, for `bench`.
    fn textbook() -> Self::Choices;

    /// For how many columns of a batch a parameter is multiplied, which tells the arithmetic of a
    /// step.
    fn columns_of(_model: &Self::Model, parameter: &str, batch: &Batch) -> usize {
        columns_of(parameter, batch)
    }

    /// The chapter's comparison.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    fn compare(arguments: &Self::Compare) -> Result<()>;
}

#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program<R: Recipe> {
    #[command(subcommand)]
    command: Option<Command<R>>,
    #[command(flatten)]
    train: train::TrainArgs<R::Choices>,
}

#[derive(Subcommand)]
enum Command<R: Recipe> {
    /// Learn to translate, then tell how well it went (also done without a command)
    Train(train::TrainArgs<R::Choices>),
    /// Translate a sentence with the model that `train` left, and draw the alignment
    Translate(translate::TranslateArgs),
    /// What the chapter's page compares, over several seeds
    Compare(R::Compare),
    /// Time full training steps on random words
    Bench(bench::BenchArgs),
}

/// The program of a chapter.
pub fn main<R: Recipe>(about: &'static str, long_about: &'static str) -> ExitCode {
    let command = Program::<R>::command().about(about).long_about(long_about);
    let program = Program::<R>::from_arg_matches(&command.get_matches());
    let program = program.unwrap_or_else(|error| error.exit());
    run(|| match program.command {
        None => train::train::<R>(&program.train),
        Some(Command::Train(arguments)) => train::train::<R>(&arguments),
        Some(Command::Translate(arguments)) => translate::translate::<R>(&arguments),
        Some(Command::Compare(arguments)) => R::compare(&arguments),
        Some(Command::Bench(arguments)) => bench::bench::<R>(&arguments),
    })
}
