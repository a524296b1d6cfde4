//! The chapter's model in the common program.

use crate::{Bahdanau, Reading};
use clap::Args;
use seq2seq::Sizes;
use seq2seq::translating::count::{gru, linear, stack};
use seq2seq::translating::recurrent::{Config, Preset};
use seq2seq::translating::{Benched, Recipe, Words, Workload};
use serde::{Deserialize, Serialize};
use shared::{Float, Rng};

pub struct Chapter;

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

impl Recipe for Chapter {
    const CHAPTER: &'static str = "bahdanau";
    type Model = Bahdanau;
    type Config = Config<Choices>;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()?;
        let Choices { state_dropout, .. } = config.choices;
        if (0.0..1.0).contains(&state_dropout) {
            Ok(())
        } else {
            Err(format!("a state dropout of {state_dropout}: not in 0 ≤ p < 1"))
        }
    }

    fn parameters(config: &Config<Choices>, words: Words) -> Option<u64> {
        let [embedding, hidden, layers] = config.sizes.counts();
        let [source, target] = words.counts();
        let vectors = (source + target) * embedding;
        let (encoder, annotation, starts) = match config.choices.reading {
            Reading::BothDirections => (2 * gru(embedding, hidden), 2 * hidden, layers),
            Reading::Forward => (stack(embedding, hidden, layers), hidden, 0),
        };
        let start = starts * linear(annotation, hidden);
        let score = (hidden + annotation + 1) * hidden; // W, U, v
        let decoder = stack(embedding, hidden, layers) + annotation * 3 * hidden;
        let output = linear(hidden, target);
        u64::try_from(vectors + encoder + start + score + decoder + output).ok()
    }

    fn width_and_heads(config: &Config<Choices>) -> (u32, u32) {
        (config.sizes.hidden, 1)
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> Bahdanau {
        build(&config.sizes.sizes(words), &config.choices, rng)
    }
}

impl Benched for Chapter {
    type Preset = Preset;

    fn workload(preset: &Preset) -> Workload<Config<Choices>> {
        preset.workload(Reading::Forward.into())
    }
}
