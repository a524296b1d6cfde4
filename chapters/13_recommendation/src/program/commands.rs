//! The commands.

use super::recommend::{RecommendArgs, recommend};
use super::train::train;
use clap::Subcommand;
use std::process::ExitCode;
use workbench::program::train_or;

const ABOUT: [&str; 2] = [
    "What will they want next, and why?",
    "Trains a recommender on a generated shop, whose customers have reasons, or on your own interactions \
         (--data). Judges it by three evaluation protocols beside models that only count, and shows ten items \
         with the actions that speak for each.",
];

#[derive(Subcommand)]
enum Command {
    /// Ten items for a history, with the actions that speak for each
    Recommend(RecommendArgs),
}

pub fn program() -> ExitCode {
    train_or("recommendation", ABOUT, train, |Command::Recommend(arguments)| recommend(arguments))
}
