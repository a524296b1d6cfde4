//! The arguments of `compare`.

use clap::{Args, ValueEnum};
use seq2seq::Sizes;
use seq2seq::translating::Repeated;
use seq2seq::translating::corpus::Corpus;
use workbench::error::Result;
use workbench::study::Study;
use workbench::training::json;

#[derive(Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) repeated: Repeated,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Table)]
    pub(super) what: What,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(super) pairs: u32,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The mechanisms, without and with input feeding
    Table,
    /// How often local-p does not find its positions: best with --seeds 10
    Stuck,
}

impl Arguments {
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        self.repeated.study("luong", corpus, self.batch, json!({}))
    }

    /// The sizes of chapter 6's model, which the others are made as large as.
    pub(super) fn base(&self, corpus: &Corpus) -> Sizes {
        Sizes {
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: 1,
            dropout: 0.1,
        }
    }
}
