//! What `compare` is told.

use clap::Args;
use seq2seq::translating::Repeated;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Output folder, seeds, passes.
    #[command(flatten)]
    pub(super) repeated: Repeated,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(super) pairs: u32,
    /// Only rows whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(super) only: String,
    /// Entries of a recurrent state
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(8..=1024))]
    pub(super) hidden: u32,
    /// Entries of a word's vector in chapter 6's model; those of the others are such that all
    /// models have equally many parameters
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(8..=1024))]
    pub(super) embedding: u32,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) batch: u32,
}
