//! The commands.

use super::answer::{AnswerArgs, answer};
use super::train::train;
use clap::Subcommand;
use std::process::ExitCode;
use workbench::program::train_or;

const ABOUT: [&str; 2] = [
    "Where is the apple, if anna took it and went to the garden?",
    "Trains an end-to-end memory network on stories that the course generates, or on files of the \
         published form, and shows for some questions where each hop looks.",
];

#[derive(Subcommand)]
enum Command {
    /// Answer questions about a story of your own
    Answer(AnswerArgs),
}

pub fn program() -> ExitCode {
    train_or("memory_networks", ABOUT, train, |Command::Answer(arguments)| answer(arguments))
}
