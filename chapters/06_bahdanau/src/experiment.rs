//! What the page measures.

use crate::{Bahdanau, Config, Reading};
use clap::Args;
use seq2seq::Sizes;
use seq2seq::commands::Recipe;
use serde::{Deserialize, Serialize};
use shared::Rng;
use shared::error::Result;

/// This chapter's model in the common program.
pub struct Chapter;

/// What can be chosen beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How the source is read
    #[arg(long, value_enum, default_value_t = Reading::BothDirections)]
    pub reading: Reading,
}

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Compare {}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "bahdanau";
    type Model = Bahdanau;
    type Choices = Choices;
    type Compare = Compare;

    fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Bahdanau {
        let score = sizes.hidden;
        Bahdanau::new(&Config { sizes: sizes.clone(), reading: choices.reading, score }, rng)
    }

    fn textbook() -> Choices {
        Choices { reading: Reading::Forward }
    }

    fn compare(_: &Compare) -> Result<()> {
        Ok(())
    }
}
