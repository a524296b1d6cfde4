//! What `compare` is told.

use clap::{Args, ValueEnum};
use seq2seq::Sizes;
use seq2seq::translating::Repeated;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::options;
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::training::Options;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Output folder, seeds, passes.
    #[command(flatten)]
    pub(super) repeated: Repeated,
    /// What is compared
    #[arg(long, value_enum, default_value_t = What::Table)]
    pub(super) what: What,
    /// Keep the trainings in this folder, and go on with those that are in it
    #[arg(long, value_name = "FOLDER")]
    pub(super) keep: Option<PathBuf>,
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

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The mechanisms, without and with input feeding
    Table,
    /// Dot and general on equal footing: with no learnt matrix before them
    Footing,
    /// How often local-p does not find its places: best with --seeds 10
    Stuck,
}

impl Arguments {
    /// Whether a row is wanted.
    pub(super) fn wants(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// That one of the rows is wanted.
    ///
    /// # Errors
    /// When none is: the message names them.
    pub(super) fn check(&self, names: &[String]) -> Result<()> {
        match names.iter().any(|name| self.wants(name)) {
            true => Ok(()),
            false => {
                let (only, known) = (&self.only, names.join(", "));
                let reason = format!("--only {only}: in the name of no row; there are {known}");
                Err(Error::argument(reason))
            }
        }
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

    /// How a model is trained with a seed; `name` is its folder among those that are kept.
    pub(super) fn options(&self, name: &str, seed: u64) -> Options {
        let checkpoint = self.keep.as_ref().map(|keep| keep.join(format!("{name}_{seed}")));
        let epochs = self.repeated.epochs as usize;
        Options { seed, epochs, resume: checkpoint.is_some(), checkpoint, ..options() }
    }
}
