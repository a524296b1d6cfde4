//! The arguments of `compare`.

use super::recipe::{BEST, Chapter, Fall, Sizes};
use clap::{Args, ValueEnum};
use seq2seq::translating::Recipe;
use seq2seq::translating::corpus::Corpus;
use workbench::error::{Error, Result};
use workbench::study::StudyArgs;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The chapters' models, and the Transformer with one choice changed
    Models,
    /// Position encodings, one against the other
    Positions,
    /// Three of them where every source is read from its end, in training and test
    Turned,
    /// Products in f32, in bf16 and in three of bf16
    Precision,
}

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub study: StudyArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Models)]
    pub what: What,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub pairs: u32,
    /// Epochs for every model, instead of those that its chapter makes and of those
    /// that take equal time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: Option<u32>,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = Chapter::BATCH as u32, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: u32,
    #[command(flatten)]
    pub sizes: Sizes,
}

impl CompareArgs {
    /// The texts: the same for all seeds, which differ in initial parameters, batches and dropout.
    pub(super) fn corpus(&self) -> Result<Corpus> {
        Chapter::check(&self.sizes).map_err(Error::Argument)?;
        let Sizes { positions, distances, schedule, start, .. } = self.sizes;
        if (positions, distances, schedule) != (BEST, None, Fall::default()) {
            let reason =
                "--positions, --distances, --schedule: a comparison chooses them itself (--what)";
            return Err(Error::argument(reason));
        }
        if start > 0 && self.what != What::Models {
            let reason = "--start: where positions are compared, every pair begins at position 0";
            return Err(Error::argument(reason));
        }
        Ok(Corpus::generated(self.pairs as usize, 1, self.study.common.seed))
    }
}
