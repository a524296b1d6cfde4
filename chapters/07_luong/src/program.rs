//! The chapter's program, which it shares with chapters 5, 6 and 10: see [`seq2seq::translating`].

#![allow(missing_docs)] // a program: names say it

use crate::windows::Reach;
use crate::{Config, Luong, Scoring};
use bahdanau::Reading;
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::recurrent::{self, workload};
use seq2seq::translating::{Chapter, Workload};
use serde::{Deserialize, Serialize};
use shared::Rng;
use std::process::ExitCode;

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

pub const CHAPTER: Chapter<recurrent::Config<Choices>, Luong> = Chapter {
    check,
    ..Chapter::recurrent(
        "luong",
        [
            "Before the step or after it, everywhere or nearby?",
            "Trains an encoder–decoder that attends after its recurrent step – with the score, the window \
             and the feeding you choose – on English–French pairs that the course generates, or on yours \
             (--data), tells how well it translates and aligns, and draws what it looked at.",
        ],
        |config, words, rng| build(&config.sizes.sizes(words), &config.choices, rng),
        &[("textbook", || bench(256, [128, 9])), ("small", || bench(32, [64, 10]))],
    )
};

fn bench(width: u32, sentences: [usize; 2]) -> Workload<recurrent::Config<Choices>> {
    workload(width, sentences, Choices { reading: Reading::Forward, ..Choices::default() })
}

fn check(config: &recurrent::Config<Choices>, _: bool) -> Result<(), String> {
    let choices = &config.choices;
    let halved = choices.reading == Reading::BothDirections && !choices.projected;
    match (choices.window.min(choices.positions), config.sizes.hidden % 2) {
        (0, _) => Err("a window and the positions must be at least 1".to_owned()),
        (_, 1) if halved => Err("an odd number of entries has no half".to_owned()),
        _ => config.sizes.check(),
    }
}

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    CHAPTER.program()
}
