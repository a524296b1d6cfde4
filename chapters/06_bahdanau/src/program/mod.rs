//! The chapter's program, which it shares with chapters 5, 7 and 10: see [`seq2seq::translating`].

#![allow(missing_docs)] // a program: names say it

use crate::{Bahdanau, Reading};
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::Chapter;
use seq2seq::translating::recurrent::{Config, workload};
use serde::{Deserialize, Serialize};
use shared::{Float, Rng};
use std::process::ExitCode;

#[derive(Args, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How the source is read
    #[arg(long, value_enum, default_value_t = Reading::BothDirections)]
    pub reading: Reading,
    /// Probability of leaving out an entry of an annotation, and of a state on its way to the output
    /// layer, while training
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    #[serde(default)]
    pub state_dropout: Float,
}

impl From<Reading> for Choices {
    /// This reading, and no more dropout than the sizes have.
    fn from(reading: Reading) -> Choices {
        Choices { reading, state_dropout: 0.0 }
    }
}

/// The model with these sizes and choices; its score has as many hidden units as a state has
/// entries.
pub fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Bahdanau {
    let (sizes, score, Choices { reading, state_dropout }) =
        (sizes.clone(), sizes.hidden, *choices);
    Bahdanau::new(&crate::Config { sizes, reading, score, state_dropout }, rng)
}

pub const CHAPTER: Chapter<Config<Choices>, Bahdanau> = Chapter {
    check: |config, _| {
        config.sizes.check()?;
        let Choices { state_dropout, .. } = config.choices;
        if (0.0..1.0).contains(&state_dropout) {
            Ok(())
        } else {
            Err(format!("a state dropout of {state_dropout}: not in 0 ≤ p < 1"))
        }
    },
    ..Chapter::recurrent(
        "bahdanau",
        [
            "What if the decoder may look back?",
            "Trains an encoder–decoder with additive attention on English–French pairs that the course \
             generates, or on yours (--data), tells how well it translates and aligns, and draws what it \
             looked at.",
        ],
        |config, words, rng| build(&config.sizes.sizes(words), &config.choices, rng),
        &[
            ("textbook", || workload(256, [128, 9], Reading::Forward.into())),
            ("small", || workload(32, [64, 10], Reading::Forward.into())),
        ],
    )
};

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    CHAPTER.program()
}
