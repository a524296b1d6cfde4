//! What `compare` is told.

use crate::translating::recurrent::CompareArgs;
use clap::{Args, ValueEnum};

/// Arguments of this chapter's `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Seeds, passes, pairs, widths.
    #[command(flatten)]
    pub usual: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = About::Context)]
    pub about: About,
}

/// What can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum About {
    /// Sizes of the context, directions of reading, narrow beams
    Context,
    /// What the decoder reads and its last layer sees, wide beams, he and she
    Decoder,
    /// What BLEU does not see, without any model
    Bleu,
}
