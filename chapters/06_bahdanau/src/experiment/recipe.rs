//! The chapter's model in the common program.

use crate::{Bahdanau, Reading};
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::recurrent::{self, CompareArgs, Config, Preset};
use seq2seq::translating::{Recipe, Words, Workload};
use serde::{Deserialize, Serialize};
use shared::Rng;
use workbench::error::Result;
use workbench::training::Options;

/// This chapter's model in the common program.
pub struct Chapter;

/// What can be chosen beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How the source is read
    #[arg(long, value_enum, default_value_t = Reading::BothDirections)]
    pub reading: Reading,
}

/// The model with these sizes and choices; its score has as many hidden units as a state has
/// entries.
pub fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Bahdanau {
    let (sizes, score) = (sizes.clone(), sizes.hidden);
    Bahdanau::new(&crate::Config { sizes, reading: choices.reading, score }, rng)
}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "bahdanau";
    type Model = Bahdanau;
    type Config = Config<Choices>;
    type Preset = Preset;
    type Compare = CompareArgs;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> Bahdanau {
        build(&config.sizes.sizes(words), &config.choices, rng)
    }

    fn options(pairs: usize, batch: usize) -> Options {
        recurrent::options_for(pairs, batch)
    }

    fn scheduled(options: Options, steps: u64) -> Options {
        recurrent::falling(options, steps)
    }

    fn workload(preset: &Preset) -> Workload<Config<Choices>> {
        preset.workload(Choices { reading: Reading::Forward })
    }

    fn compare(arguments: &CompareArgs) -> Result<()> {
        super::compare::compare(arguments)
    }
}
