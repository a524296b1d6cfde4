//! The commands.

use super::bench::{BenchArgs, bench};
use super::train::{CompareArgs, compare, train};
use super::view::{ViewArgs, view};
use super::write::{WriteArgs, write};
use clap::Subcommand;
use std::process::ExitCode;
use workbench::program::train_or;

const ABOUT: [&str; 2] = [
    "What comes next?",
    "Trains a language model on texts of a small world, whose next word has a known probability, or on your text \
         (--corpus), reports how far it is from what can be known, and writes.",
];

#[derive(Subcommand)]
enum Command {
    /// Go on with a text
    Write(WriteArgs),
    /// Train an LSTM of as many parameters as well, and hold both against n-grams
    Compare(Box<CompareArgs>),
    /// Write a page that shows where every head looks
    View(ViewArgs),
    /// Time full training steps on random words
    Bench(BenchArgs),
}

pub fn program() -> ExitCode {
    train_or("language_model", ABOUT, train, |command| match command {
        Command::Write(arguments) => write(arguments),
        Command::Compare(arguments) => compare(arguments),
        Command::View(arguments) => view(arguments),
        Command::Bench(arguments) => bench(arguments),
    })
}
