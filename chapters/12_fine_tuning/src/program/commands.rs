//! The commands.

use super::predict::{PredictArgs, predict};
use super::train::train;
use clap::Subcommand;
use std::process::ExitCode;
use workbench::program::train_or;

const ABOUT: [&str; 2] = [
    "How little has to be learnt anew?",
    "Puts one new layer on top of a BERT and trains both on labelled examples: of a task that the course \
         generates (--task), or your own (--data). Reports the accuracy on a test, beside that of counting \
         words.",
];

#[derive(Subcommand)]
enum Command {
    /// Predict the labels of a file's examples
    Predict(PredictArgs),
}

pub fn program() -> ExitCode {
    train_or("fine_tuning", ABOUT, train, |Command::Predict(arguments)| predict(arguments))
}
