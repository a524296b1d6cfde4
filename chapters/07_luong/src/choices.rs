//! The chapter's model in the common program, and what can be chosen of it.

use crate::windows::Reach;
use crate::{Config, Luong, Scoring};
use bahdanau::Reading;
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::count::{gru, linear, stack};
use seq2seq::translating::recurrent::{self, Preset};
use seq2seq::translating::{Benched, Recipe, Words, Workload};
use serde::{Deserialize, Serialize};
use shared::Rng;

pub struct Chapter;

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How well a word fits
    #[arg(long, value_enum, default_value_t = Scoring::Concat)]
    pub score: Scoring,
    /// Where to look
    #[arg(long, value_enum, default_value_t = Reach::Global)]
    pub reach: Reach,
    /// Words before and after the middle of a window (local-m, local-p)
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// Whether the decoder reads what it has looked at last, beside the last word
    #[arg(long, value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub feeding: bool,
    /// Positions that the location score knows; it ignores the words after
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

impl Recipe for Chapter {
    const CHAPTER: &'static str = "luong";
    type Model = Luong;
    type Config = recurrent::Config<Choices>;

    fn check(config: &Self::Config) -> Result<(), String> {
        let choices = &config.choices;
        let halved = choices.reading == Reading::BothDirections && !choices.projected;
        match (choices.window.min(choices.positions), config.sizes.hidden % 2) {
            (0, _) => Err("a window and the positions must be at least 1".to_owned()),
            (_, 1) if halved => Err("an odd number of entries has no half".to_owned()),
            _ => config.sizes.check(),
        }
    }

    fn parameters(config: &Self::Config, words: Words) -> Option<u64> {
        let (choices, [embedding, hidden, layers]) = (&config.choices, config.sizes.counts());
        let [source, target] = words.counts();
        let vectors = (source + target) * embedding;
        let encoder = match choices.reading {
            Reading::BothDirections if choices.projected => {
                let (both, narrow) = (2 * gru(embedding, hidden), 2 * hidden * hidden);
                both + narrow + layers * linear(2 * hidden, hidden)
            }
            Reading::BothDirections => {
                2 * gru(embedding, hidden / 2) + layers * linear(hidden, hidden)
            }
            Reading::Forward => stack(embedding, hidden, layers),
        };
        let feed = if choices.feeding { 3 * hidden * hidden } else { 0 };
        let score = match choices.score {
            Scoring::Dot => 0,
            Scoring::General => hidden * hidden,
            Scoring::Concat => (2 * hidden + 1) * hidden.div_ceil(2), // W_a, v_a
            Scoring::Location => u128::from(choices.positions) * hidden,
        };
        let position = if choices.reach == Reach::LocalP { (hidden + 1) * hidden } else { 0 };
        let decoder = stack(embedding, hidden, layers) + feed;
        let output = 2 * hidden * hidden + linear(hidden, target); // W_c, W_s
        u64::try_from(vectors + encoder + decoder + score + position + output).ok()
    }

    fn width_and_heads(config: &Self::Config) -> (u32, u32) {
        (config.sizes.hidden, 1)
    }

    fn build(config: &Self::Config, words: Words, rng: &mut Rng) -> Luong {
        build(&config.sizes.sizes(words), &config.choices, rng)
    }
}

impl Benched for Chapter {
    type Preset = Preset;

    fn workload(preset: &Preset) -> Workload<Self::Config> {
        preset.workload(Choices { reading: Reading::Forward, ..Choices::default() })
    }
}
