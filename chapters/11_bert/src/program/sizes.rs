//! What a model is made of, and what memory it takes to read.

use crate::Config;
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
    /// Hidden units of the feed-forward networks
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
        let reason = if !(0.0..1.0).contains(&dropout) {
            format!("dropout {dropout}: it must be at least 0 and below 1")
        } else if !(deviation > 0.0 && deviation < 1.0) {
            format!("deviation {deviation}: it must be above 0 and below 1")
        } else {
            return Ok(config);
        };
        Err(Error::argument(reason))
    }
}

/// About how many bytes it takes to read sequences of such lengths at once, when each of so many blocks
/// leaves where it looked.
pub fn reading_memory(
    config: &Config,
    lengths: impl IntoIterator<Item = usize>,
    blocks: usize,
) -> u64 {
    let rows = (4 * config.width + 2 * config.feed_forward) as f64; // of the matrices of a block
    let weights = (blocks * config.heads) as f64;
    let numbers = lengths.into_iter().map(|n| n as f64).map(|n| n * (3.0 * rows + weights * n));
    (numbers.sum::<f64>() * size_of::<Float>() as f64 * 1.125) as u64 // an eighth for what is there in passing
}
