//! The chapter's program.

use super::arguments::{About, Arguments};
use super::recipe::Chapter;
use super::{blind, compare, decoder};
use crate::translating;
use std::process::ExitCode;
use workbench::error::Result;

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter, _>(
        "Can one vector hold a sentence?",
        "Can one vector hold a sentence?\n\nTrains an encoder and a decoder with one vector between \
         them on English–French pairs that the course generates, or on yours (--data), and tells \
         how well it translates.",
        compare_what_is_asked,
    )
}

fn compare_what_is_asked(arguments: &Arguments) -> Result<()> {
    match arguments.about {
        About::Context => compare::compare(arguments),
        About::Decoder => decoder::compare(arguments),
        About::Bleu => blind::compare(&arguments.usual),
    }
}
