//! The chapter's model in the common program.

use crate::windows::Reach;
use crate::{Config, Luong, Score, Scoring, compare};
use bahdanau::Reading;
use clap::Args;
use seq2seq::commands::{Recipe, columns_of};
use seq2seq::{Batch, Sizes, distinct};
use serde::{Deserialize, Serialize};
use shared::Rng;
use workbench::error::Result;

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

impl Recipe for Chapter {
    const CHAPTER: &'static str = "luong";
    type Model = Luong;
    type Choices = Choices;
    type Compare = compare::Arguments;

    fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Luong {
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

    fn textbook() -> Choices {
        Choices { reading: Reading::Forward, ..Choices::default() }
    }

    fn columns_of(model: &Luong, parameter: &str, batch: &Batch) -> usize {
        match parameter {
            "narrow.weight" | "score.w_k.weight" => batch.source.len(),
            "score.w.weight" if matches!(model.score, Score::General(_)) => batch.source.len(),
            "decoder.layers.0.weight_x" => distinct(&batch.previous).0.len(),
            name if name.starts_with("start.") => batch.sentences(),
            name => columns_of(name, batch),
        }
    }

    fn compare(arguments: &compare::Arguments) -> Result<()> {
        compare::compare(arguments)
    }
}
