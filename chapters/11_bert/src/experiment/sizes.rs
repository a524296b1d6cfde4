//! What a model is made of, and what its training takes.

use crate::Config;
use crate::telling::block_width;
use clap::{Args, ValueEnum};
use shared::Float;
use workbench::error::{Error, Result};

/// Sizes with a name.
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

/// What a model is made of, its vocabulary aside.
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
    /// How many times wider the queries of half of the first block's heads are drawn, whose keys then
    /// begin as the same: there, scores are likenesses at first (this block's values and output then begin
    /// three times as wide, the table of places three tenths as wide); 0: drawn as everything else
    /// [default: 4 for the small model and generated documents, 0 for others]
    #[arg(long, value_name = "TIMES")]
    pub alike: Option<Float>,
}

impl Sizes {
    /// The model of these sizes with so many pieces.
    ///
    /// # Errors
    /// When there is no such model.
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
            alike: self.alike.unwrap_or(preset.alike),
            ..preset
        };
        let Config { width, heads, dropout, deviation, alike, .. } = config;
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
        if alike != 0.0 && !(1.0..=100.0).contains(&alike) {
            let reason = format!("alike {alike}: it must be 0, or from 1 to 100");
            return Err(Error::argument(reason));
        }
        Ok(config)
    }
}

/// About how many bytes it takes to read sequences of such lengths at once, when each of so many blocks
/// leaves where it looked; `None` for more than can be counted.
pub fn reading_memory(
    config: &Config,
    lengths: impl IntoIterator<Item = usize>,
    blocks: usize,
) -> Option<u64> {
    let [d, d_ff, looked] =
        [config.width, config.feed_forward, blocks * config.heads].map(|n| n as u128);
    let lengths = lengths.into_iter().map(|length| length as u128);
    let numbers: u128 = lengths.map(|length| length * (8 * d + 3 * d_ff + looked * length)).sum();
    u64::try_from(numbers * size_of::<Float>() as u128).ok()
}

/// About how many bytes it takes to train on batches of so many sequences of so many pieces, of which
/// so many are hidden in each: every parameter with its two moments and with so many gradients as lie there
/// at once, one a shard and more where groups are accumulated; and what a step keeps for its way back.
pub fn training_memory(
    config: &Config,
    sequences: usize,
    length: usize,
    hidden: usize,
    gradients: usize,
) -> u64 {
    let [d, d_ff, heads, blocks, words] =
        [config.width, config.feed_forward, config.heads, config.blocks, config.vocabulary]
            .map(|n| n as u64);
    let told = (sequences * hidden).div_ceil(gradients); // in a shard
    let logits = gradients as u64 * words * block_width(config.vocabulary, told) as u64;
    let [sequences, length, hidden] = [sequences, length, hidden].map(|n| n as u64);
    let block = 4 * d * d + 2 * d * d_ff + 9 * d + d_ff;
    let parameters = words * d + blocks * block + 2 * d * d + config.longest as u64 * d;
    let a_piece = blocks * (11 * d + 3 * d_ff + heads * length) + 4 * d;
    let kept = sequences * (length * a_piece + hidden * 5 * d) + logits;
    (parameters * (3 + gradients as u64) + kept) * size_of::<Float>() as u64
}
