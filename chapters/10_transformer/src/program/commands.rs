//! The chapter's program.

use super::compare::compare;
use super::recipe::Chapter;
use seq2seq::translating;
use std::process::ExitCode;

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter, _>(
        "What is left when recurrence is gone?",
        "What is left when recurrence is gone?\n\nTrains a Transformer on English–French pairs that the \
         course generates, or on yours (--data), tells how well it translates and aligns, and draws \
         what it looked at.",
        compare,
    )
}
