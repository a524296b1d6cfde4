//! A program that trains, or does something else with what a training left.

use super::{arguments::parse_command, terminal::run};
use crate::error::Result;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Program<T: Args, C: Subcommand> {
    #[command(subcommand)]
    command: Option<Command<T, C>>,
    #[command(flatten)]
    train: T,
}

#[derive(Subcommand)]
enum Command<T: Args, C: Subcommand> {
    /// Train, then report how well it went (also done without a command)
    Train(Box<T>),
    #[command(flatten)]
    Other(C),
}

/// The program `name`: the command `train`, also done without a command, and others. `about` is a line, and what the
/// help says more.
pub fn train_or<T: Args, C: Subcommand>(
    name: &'static str,
    about: [&'static str; 2],
    train: impl Fn(&T) -> Result<()>,
    other: impl Fn(&C) -> Result<()>,
) -> ExitCode {
    let [line, more] = about;
    let command = Program::<T, C>::command().name(name);
    let program: Program<T, C> =
        parse_command(command.about(line).long_about(format!("{line}\n\n{more}")));
    run(|| match &program.command {
        None => train(&program.train),
        Some(Command::Train(arguments)) => train(arguments),
        Some(Command::Other(command)) => other(command),
    })
}
