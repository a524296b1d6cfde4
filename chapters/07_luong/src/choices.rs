//! What can be chosen of the chapter's model.

use crate::windows::Reach;
use crate::{Config, Luong, Scoring};
use bahdanau::Reading;
use clap::Args;
use seq2seq::Sizes;
use serde::{Deserialize, Serialize};
use shared::Rng;

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
    /// Whether a learnt matrix makes the annotations of two directions as long as a state; without
    /// it each direction has half as many entries
    #[arg(long, value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    #[serde(default = "projected")]
    pub projected: bool,
}

/// What was not chosen before it could be.
fn projected() -> bool {
    true
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
            projected: true,
        }
    }
}

/// The model with these sizes and choices.
pub fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Luong {
    let config = Config {
        sizes: sizes.clone(),
        reading: choices.reading,
        projected: choices.projected,
        scoring: choices.score,
        reach: choices.reach,
        width: choices.window as usize,
        feeding: choices.feeding,
        positions: choices.positions as usize,
    };
    Luong::new(&config, rng)
}
