//! The chapter's model in the common program.

use super::arguments::{About, Arguments};
use super::learning;
use crate::EncoderDecoder;
use crate::translating::count::{gru_keeps, linear, stack};
use crate::translating::recurrent::{self, Config, Preset};
use crate::translating::{self, Recipe, Words, Workload};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Rng;
use std::process::ExitCode;
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
    type Compare = Arguments;

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

    fn kept(config: &Config<Choices>, words: Words, [source, target]: [u128; 2]) -> u128 {
        let [embedding, hidden, layers] = config.sizes.counts();
        let [_, words] = words.counts();
        let states = layers * gru_keeps(hidden);
        source * states + target * (3 * embedding + 2 * hidden + states + 2 * words) // logits, softmax
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

    fn compare(arguments: &Arguments) -> Result<()> {
        match arguments.about {
            About::Context => super::compare::compare(arguments),
            About::Decoder => super::decoder::compare(arguments),
            About::Layer => learning::compare(&learning::LAYER, arguments),
            About::OwnWords => learning::compare(&learning::OWN_WORDS, arguments),
            About::Bleu => super::blind::compare(&arguments.usual),
        }
    }
}

/// The chapter's program. (Here and not in `main.rs`, so that it is compiled once for all that call it.)
pub fn program() -> ExitCode {
    translating::main::<Chapter>(
        "Can one vector hold a sentence?",
        "Can one vector hold a sentence?\n\nTrains an encoder and a decoder with one vector between \
         them on English–French pairs that the course generates, or on yours (--data), and tells \
         how well it translates.",
    )
}
