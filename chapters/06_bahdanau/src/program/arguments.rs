//! The arguments of `compare`.

use clap::{Args, ValueEnum};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::CompareArgs;
use workbench::error::Result;
use workbench::study::Study;
use workbench::training::json;

#[derive(Args, Clone, Debug)]
pub struct Compare {
    #[command(flatten)]
    pub common: CompareArgs,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Gain)]
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// With and without attention
    Gain,
    /// Attention or none, a source that is read in both directions or forwards
    Square,
    /// Where models with attention look, what their annotations know, and what becomes of their
    /// words when that is changed
    Inside,
}

impl Compare {
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        self.common.study("bahdanau", corpus, json!({ "what": format!("{:?}", self.what) }))
    }
}
