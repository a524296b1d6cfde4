//! The chapter's model in the common program.

use crate::windows::Reach;
use crate::{Config, Luong, Scoring, compare};
use bahdanau::Reading;
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::recurrent::{self, Preset};
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
    /// How well a word fits
    #[arg(long, value_enum, default_value_t = Scoring::Concat)]
    pub score: Scoring,
    /// Where to look
    #[arg(long, value_enum, default_value_t = Reach::Global)]
    pub reach: Reach,
    /// Words before and behind the middle of a window (local-m, local-p)
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// Whether the decoder reads what it has looked at last, beside the last word
    #[arg(long, value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub feeding: bool,
    /// Positions that the location score knows; it ignores the words behind
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub positions: u32,
    /// How the source is read
    #[arg(long, value_enum, default_value_t = Reading::BothDirections)]
    pub reading: Reading,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            score: Scoring::Concat,
            reach: Reach::Global,
            window: 3,
            feeding: true,
            positions: 20,
            reading: Reading::BothDirections,
        }
    }
}

/// The model with these sizes and choices.
pub fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Luong {
    let config = Config {
        sizes: sizes.clone(),
        reading: choices.reading,
        scoring: choices.score,
        reach: choices.reach,
        width: choices.window as usize,
        feeding: choices.feeding,
        positions: choices.positions as usize,
    };
    Luong::new(&config, rng)
}

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
