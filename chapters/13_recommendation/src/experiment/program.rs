//! The commands.

use super::compare;
use clap::{Parser, Subcommand};
use std::process::ExitCode;
use workbench::program::{parse, run};
use workbench::study::StudyArgs;

/// What will they want next, and why?
#[derive(Parser)]
#[command(version)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// All models by three rulers, with several seeds
    Compare(StudyArgs),
}

pub fn program() -> ExitCode {
    let program: Program = parse();
    run(|| match &program.command {
        Command::Compare(arguments) => compare(arguments),
    })
}
