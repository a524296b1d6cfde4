//! The chapter's program, which it shares with chapters 6, 7 and 10: see [`translating`](crate::translating).

#![allow(missing_docs)] // a program: names say it

use crate::EncoderDecoder;
use crate::translating::Chapter;
use crate::translating::recurrent::{Config, workload};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// Nothing to choose beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {}

pub const CHAPTER: Chapter<Config<Choices>, EncoderDecoder> = Chapter::recurrent(
    "seq2seq",
    [
        "Can one vector hold a sentence?",
        "Trains an encoder and a decoder with one vector between them on English–French pairs that the \
         course generates, or on yours (--data), and tells how well it translates.",
    ],
    |config, words, rng| EncoderDecoder::new(&config.sizes.sizes(words), rng),
    &[
        ("textbook", || workload(256, [128, 9], Choices {})),
        ("small", || workload(32, [64, 10], Choices {})),
    ],
);

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    CHAPTER.program()
}
