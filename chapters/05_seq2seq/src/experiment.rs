//! What the page measures.

use crate::commands::Recipe;
use crate::{EncoderDecoder, Sizes};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Rng;
use shared::error::Result;

/// This chapter's model in the common program.
pub struct Chapter;

/// Nothing to choose beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {}

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Compare {}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "seq2seq";
    type Model = EncoderDecoder;
    type Choices = Choices;
    type Compare = Compare;

    fn build(sizes: &Sizes, _: &Choices, rng: &mut Rng) -> EncoderDecoder {
        EncoderDecoder::new(sizes, rng)
    }

    fn textbook() -> Choices {
        Choices {}
    }

    fn compare(_: &Compare) -> Result<()> {
        Ok(())
    }
}
