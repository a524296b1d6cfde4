//! The chapter's model in the common program.

use crate::EncoderDecoder;
use crate::translating::recurrent::{self, CompareArgs, Config, Preset};
use crate::translating::{Recipe, Words, Workload};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Rng;
use workbench::error::Result;
use workbench::training::Options;

/// This chapter's model in the common program.
pub struct Chapter;

/// Nothing to choose beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "seq2seq";
    type Model = EncoderDecoder;
    type Config = Config<Choices>;
    type Preset = Preset;
    type Compare = CompareArgs;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> EncoderDecoder {
        EncoderDecoder::new(&config.sizes.sizes(words), rng)
    }

    fn options(pairs: usize, batch: usize) -> Options {
        recurrent::options_for(pairs, batch)
    }

    fn scheduled(options: Options, steps: u64) -> Options {
        recurrent::falling(options, steps)
    }

    fn workload(preset: &Preset) -> Workload<Config<Choices>> {
        preset.workload(Choices {})
    }

    fn compare(arguments: &CompareArgs) -> Result<()> {
        super::compare::compare(arguments)
    }
}
