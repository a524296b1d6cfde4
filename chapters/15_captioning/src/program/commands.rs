//! The commands.

use super::caption::{CaptionArgs, caption};
use super::train::train;
use clap::Subcommand;
use std::process::ExitCode;
use workbench::program::train_or;

const ABOUT: [&str; 2] = [
    "Where does it look while it says \"a red ring above a blue square\"?",
    "Trains a model on pictures that the course generates, lets it caption pictures that it has not seen, \
         and shows where it looked for every word.",
];

#[derive(Subcommand)]
enum Command {
    /// Caption a PNG picture of your own, 32 × 32 pixels
    Caption(CaptionArgs),
}

pub fn program() -> ExitCode {
    train_or("captioning", ABOUT, train, |Command::Caption(arguments)| caption(arguments))
}
