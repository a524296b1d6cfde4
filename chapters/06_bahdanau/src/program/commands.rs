//! The chapter's program.

use super::arguments::{Compare, What};
use super::gain::gain;
use super::inside::inside;
use super::recipe::Chapter;
use super::square::square;
use seq2seq::translating;
use std::process::ExitCode;
use workbench::error::Result;

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter, _>(
        "What if the decoder may look back?",
        "What if the decoder may look back?\n\nTrains an encoder–decoder with additive attention on \
         English–French pairs that the course generates, or on yours (--data), tells how well it \
         translates and aligns, and draws what it looked at.",
        compare,
    )
}

fn compare(arguments: &Compare) -> Result<()> {
    let corpus = arguments.common.corpus()?;
    match arguments.what {
        What::Gain => gain(arguments, &corpus),
        What::Square => square(arguments, &corpus),
        What::Inside => inside(arguments, &corpus),
    }
}
