//! The chapter's program.

#![allow(missing_docs)] // an experiment: names say it

pub use crate::choices::{Chapter, Choices, build};

use crate::compare::compare;
use seq2seq::translating;
use std::process::ExitCode;

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter, _>(
        "Before the step or after it, everywhere or nearby?",
        "Before the step or after it, everywhere or nearby?\n\nTrains an encoder–decoder that attends \
         after its recurrent step – with the score, the window and the feeding you choose – on \
         English–French pairs that the course generates, or on yours (--data), tells how well it \
         translates and aligns, and draws what it looked at.",
        compare,
    )
}
