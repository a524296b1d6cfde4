//! The arguments of `compare`.

use crate::translating::corpus::Corpus;
use crate::translating::recurrent::CompareArgs;
use clap::{Args, ValueEnum};
use workbench::error::Result;
use workbench::study::Study;
use workbench::training::json;

#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub usual: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = About::Context)]
    pub about: About,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum About {
    /// Sizes of the context, directions of reading, narrow beams
    Context,
    /// What the decoder loses by its own words, wide beams, he and she
    Decoder,
    /// What BLEU does not see, without any model
    Bleu,
}

impl Arguments {
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        self.usual.study("seq2seq", corpus, json!({ "about": format!("{:?}", self.about) }))
    }
}
