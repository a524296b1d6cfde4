//! What `compare` is told.

use crate::translating::recurrent::CompareArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use workbench::training::Options;

/// Arguments of this chapter's `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Seeds, passes, pairs, widths.
    #[command(flatten)]
    pub usual: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = About::Context)]
    pub about: About,
    /// Keep the trainings in this folder, and go on with those that are in it (not those that read
    /// words of their own)
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
}

/// What can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum About {
    /// Sizes of the context, directions of reading, narrow beams
    Context,
    /// What the decoder loses by its own words, wide beams, he and she
    Decoder,
    /// A last layer that sees more
    Layer,
    /// A training in which the decoder reads words of its own
    OwnWords,
    /// What BLEU does not see, without any model
    Bleu,
}

impl Arguments {
    /// How a model is trained with a seed; `name` is its folder among those that are kept.
    pub(super) fn options(&self, name: &str, seed: u64) -> Options {
        let checkpoint = self.keep.as_ref().map(|keep| keep.join(format!("{name}_{seed}")));
        Options { resume: checkpoint.is_some(), checkpoint, ..self.usual.options(seed) }
    }
}
