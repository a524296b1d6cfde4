//! Several trainings that do not depend on each other, side by side: what `compare` is made of.

use super::corpus::Corpus;
use super::recipe::Recipe;
use super::training::{TrainedTranslator, train_observed};
use clap::Args;
use workbench::error::Result;
use workbench::program::Common;
use workbench::study::Progress;
use workbench::training::Options;

/// Arguments of what is trained several times.
#[derive(Args, Clone, Debug)]
pub struct Repeated {
    /// Output folder and first seed.
    #[command(flatten)]
    pub common: Common,
    /// How often everything is repeated, with seeds counted up from --seed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
}

impl Repeated {
    /// The seeds to repeat everything with.
    pub fn seeds(&self) -> Vec<u64> {
        (0..u64::from(self.seeds)).map(|i| self.common.seed.wrapping_add(i)).collect()
    }
}

/// Trains a model of a chapter, as [`train_model`](super::train_model) does, counting its epochs.
///
/// # Errors
/// As [`workbench::training::train`].
pub fn train_counted<R: Recipe>(
    progress: &Progress,
    corpus: &Corpus,
    config: &R::Config,
    batch: usize,
    options: &Options,
) -> Result<TrainedTranslator<R::Model>> {
    train_observed::<R>(corpus, config, batch, options, &|| progress.epoch())
}
