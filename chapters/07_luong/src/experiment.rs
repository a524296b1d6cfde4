//! The chapter's model in the common program.

pub use crate::choices::{Chapter, Choices, build};

use crate::{Luong, compare};
use bahdanau::Reading;
use seq2seq::translating::recurrent::{self, Preset};
use seq2seq::translating::{self, Recipe, Words, Workload};
use shared::Rng;
use std::process::ExitCode;
use workbench::error::Result;
use workbench::training::Options;

impl Recipe for Chapter {
    const CHAPTER: &'static str = "luong";
    type Model = Luong;
    type Config = recurrent::Config<Choices>;
    type Preset = Preset;
    type Compare = compare::Arguments;

    fn check(config: &Self::Config) -> Result<(), String> {
        config.sizes.check()
    }

    fn build(config: &Self::Config, words: Words, rng: &mut Rng) -> Luong {
        build(&config.sizes.sizes(words), &config.choices, rng)
    }

    fn options(pairs: usize, batch: usize) -> Options {
        recurrent::options_for(pairs, batch)
    }

    fn scheduled(options: Options, steps: u64) -> Options {
        recurrent::falling(options, steps)
    }

    fn workload(preset: &Preset) -> Workload<Self::Config> {
        preset.workload(Choices { reading: Reading::Forward, ..Choices::default() })
    }

    fn compare(arguments: &compare::Arguments) -> Result<()> {
        compare::compare(arguments)
    }
}

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter>(
        "Before the step or after it, everywhere or nearby?",
        "Before the step or after it, everywhere or nearby?\n\nTrains an encoder–decoder that attends \
         after its recurrent step – with the score, the window and the feeding you choose – on \
         English–French pairs that the course generates, or on yours (--data), tells how well it \
         translates and aligns, and draws what it looked at.",
    )
}
