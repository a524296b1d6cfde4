//! The chapter's model in the common program.

use crate::EncoderDecoder;
use crate::translating::count::{linear, stack};
use crate::translating::recurrent::{Config, Preset};
use crate::translating::{Benched, Recipe, Words, Workload};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Rng;

pub struct Chapter;

/// Nothing to choose beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "seq2seq";
    type Model = EncoderDecoder;
    type Config = Config<Choices>;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()
    }

    fn parameters(config: &Config<Choices>, words: Words) -> Option<u64> {
        let [embedding, hidden, layers] = config.sizes.counts();
        let [source, target] = words.counts();
        let vectors = (source + target) * embedding;
        let encoder = stack(embedding, hidden, layers);
        let decoder = stack(embedding + hidden, hidden, layers);
        u64::try_from(vectors + encoder + decoder + linear(hidden, target)).ok()
    }

    fn width_and_heads(config: &Config<Choices>) -> (u32, u32) {
        (config.sizes.hidden, 0)
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> EncoderDecoder {
        EncoderDecoder::new(&config.sizes.sizes(words), rng)
    }
}

impl Benched for Chapter {
    type Preset = Preset;

    fn workload(preset: &Preset) -> Workload<Config<Choices>> {
        preset.workload(Choices {})
    }
}
