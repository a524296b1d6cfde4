//! What a model is made of, and what its training takes.

use crate::{Config, Counts, count};
use clap::{Args, ValueEnum};
use shared::Float;
use workbench::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// The chapter's: trains in minutes on two cores
    Small,
    /// BERT-Base: 12 blocks of width 768
    Base,
    /// BERT-Large: 24 blocks of width 1024
    Large,
}

impl Preset {
    /// The sizes. The vocabulary is that of the paper's, until one is learnt.
    pub fn config(self) -> Config {
        match self {
            Preset::Small => Config {
                width: 128,
                feed_forward: 256,
                heads: 8,
                blocks: 2,
                longest: 64,
                dropout: 0.0,
                deviation: 0.05,
                ..Config::BASE
            },
            Preset::Base => Config::BASE,
            Preset::Large => Config::LARGE,
        }
    }
}

#[derive(Args, Clone, Debug)]
pub struct Sizes {
    /// Sizes that the following options change
    #[arg(long, value_enum, default_value_t = Preset::Small)]
    pub config: Preset,
    /// Entries of a token
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub width: Option<u32>,
    /// Hidden units of the position-wise networks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub feed_forward: Option<u32>,
    /// Heads of every attention; they divide the width
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=128))]
    pub heads: Option<u32>,
    /// Blocks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=96))]
    pub blocks: Option<u32>,
    /// Pieces of the longest sequence
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=4096))]
    pub longest: Option<u32>,
    /// Probability of leaving out a unit while training
    #[arg(long, value_name = "P")]
    pub dropout: Option<Float>,
    /// Deviation of the normal distribution that weights and tables are drawn from
    #[arg(long, value_name = "D")]
    pub deviation: Option<Float>,
}

impl Sizes {
    pub fn config(&self, vocabulary: usize) -> Result<Config> {
        let preset = self.config.config();
        let or = |size: Option<u32>, preset: usize| size.map_or(preset, |size| size as usize);
        let config = Config {
            vocabulary,
            width: or(self.width, preset.width),
            feed_forward: or(self.feed_forward, preset.feed_forward),
            heads: or(self.heads, preset.heads),
            blocks: or(self.blocks, preset.blocks),
            longest: or(self.longest, preset.longest),
            dropout: self.dropout.unwrap_or(preset.dropout),
            deviation: self.deviation.unwrap_or(preset.deviation),
            ..preset
        };
        let Config { width, heads, dropout, deviation, .. } = config;
        if !width.is_multiple_of(heads) {
            return Err(Error::argument(format!("{heads} heads do not divide a width of {width}")));
        }
        if !(0.0..1.0).contains(&dropout) {
            let reason = format!("dropout {dropout}: it must be at least 0 and below 1");
            return Err(Error::argument(reason));
        }
        if !(deviation > 0.0 && deviation < 1.0) {
            let reason = format!("deviation {deviation}: it must be above 0 and below 1");
            return Err(Error::argument(reason));
        }
        Ok(config)
    }
}

/// About how many numbers a token leaves in a block on its way through: as many as the block has parameters
/// for each two entries of it. (What it attends to with is not among them.)
fn of_a_token(config: &Config) -> usize {
    let Counts { attention, feed_forward, .. } = count(config);
    (attention + feed_forward) as usize * 2 / (config.blocks * config.width)
}

/// About how many bytes it takes to read sequences of such lengths at once, when each of so many blocks
/// leaves where it looked; `None` for more than can be counted.
pub fn reading_memory(
    config: &Config,
    lengths: impl IntoIterator<Item = usize>,
    blocks: usize,
) -> Option<u64> {
    let [a_token, looked] = [of_a_token(config), blocks * config.heads].map(|n| n as u128);
    let lengths = lengths.into_iter().map(|length| length as u128);
    let numbers: u128 = lengths.map(|length| length * (a_token + looked * length)).sum();
    u64::try_from(numbers * size_of::<Float>() as u128).ok()
}

/// About how many bytes it takes to train on batches of so many sequences of so many pieces: every
/// parameter with its two moments and with so many gradients as lie there at once, one a shard and more
/// where groups are accumulated; and what every block keeps of every token for its way back.
pub fn training_memory(
    config: &Config,
    sequences: usize,
    length: usize,
    gradients: usize,
) -> Option<u64> {
    let numbers = count(config).pretraining() * (3 + gradients as u64);
    let kept = (of_a_token(config) + config.heads * length) * config.blocks;
    let kept = (sequences as u64).checked_mul(length as u64)?.checked_mul(kept as u64)?;
    numbers.checked_add(kept)?.checked_mul(size_of::<Float>() as u64)
}
