//! What `compare` is told.

use super::mechanisms::bahdanau_of;
use clap::{Args, ValueEnum};
use seq2seq::Sizes;
use seq2seq::translating::Repeated;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::options;
use shared::Module;
use workbench::error::Result;
use workbench::study::Study;
use workbench::training::{Options, json};

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Output folder, seeds, passes.
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
    /// A study of rows that are trained as these arguments say.
    pub(super) fn study(&self, corpus: &Corpus) -> Result<Study> {
        let about = json!({
            "texts": corpus.fingerprint(),
            "epochs": self.repeated.epochs,
            "batch": self.batch,
        });
        Study::open(&self.repeated.study, "luong", about)
    }

    /// The sizes of chapter 6's model, which the others are made as large as.
    fn base(&self, corpus: &Corpus) -> Sizes {
        Sizes {
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: 1,
            dropout: 0.1,
        }
    }

    /// The same, and how many parameters it has.
    pub(super) fn base_and_parameters(&self, corpus: &Corpus) -> (Sizes, usize) {
        let base = self.base(corpus);
        let parameters = bahdanau_of(&base).parameter_count();
        (base, parameters)
    }

    /// How a row is trained with a seed; what is kept has a folder for its trainings.
    pub(super) fn options(&self, row: &str, seed: u64) -> Options {
        let name = format!("{}_{seed}", row.replace(' ', "_"));
        let kept = self.repeated.study.keep.as_ref();
        let checkpoint = kept.map(|keep| keep.join("trainings").join(name));
        let epochs = self.repeated.epochs as usize;
        Options { seed, epochs, resume: checkpoint.is_some(), checkpoint, ..options() }
    }
}
