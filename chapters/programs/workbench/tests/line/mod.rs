//! The arguments of a command, and what it refuses, for the tests of several chapters.

use clap::{Args, Parser};
use tempfile::TempDir;

#[derive(Parser)]
struct Line<A: Args> {
    #[command(flatten)]
    arguments: A,
}

/// The arguments of a command.
pub fn arguments<A: Args>(line: &[&str]) -> Result<A, clap::Error> {
    let found = Line::try_parse_from([&["command"], line].concat())?;
    Ok(found.arguments)
}

/// A message, its paths as seen from this folder.
pub fn told(folder: &TempDir, message: impl ToString) -> String {
    message.to_string().replace(&format!("{}/", folder.path().display()), "")
}
