//! The chapter's program: chapter 1's points, or the reader's, under all eight.

mod next_word;

use std::process::ExitCode;

/// Runs it.
pub fn program() -> ExitCode {
    ExitCode::SUCCESS
}
