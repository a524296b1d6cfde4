//! What the recurrent translators of chapters 5 to 7 have in common: sizes as arguments, a schedule,
//! the textbook's sizes.

use super::recipe::{Words, Workload};
use super::rows::{Repeated, Training};
pub use super::schedule::{falling, options, options_for};
use crate::Sizes;
use crate::translating::corpus::Corpus;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use shared::Float;
use workbench::error::{Error, Result};
use workbench::study::{Progress, Study};
use workbench::training::Value;

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config<C: Args> {
    #[command(flatten)]
    pub sizes: SizeArgs,
    #[command(flatten)]
    pub choices: C,
}

impl<C: Args> Config<C> {
    /// The widths of these sizes; how many words they have is the corpus's affair.
    pub fn new(sizes: &Sizes, choices: C) -> Config<C> {
        let Sizes { embedding, hidden, layers, dropout, .. } = *sizes;
        let [embedding, hidden, layers] = [embedding, hidden, layers].map(|size| size as u32);
        Config { sizes: SizeArgs { embedding, hidden, layers, dropout }, choices }
    }
}

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeArgs {
    /// Entries of a word's vector
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub embedding: u32,
    /// Entries of a recurrent state
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub hidden: u32,
    /// Recurrent layers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub layers: u32,
    /// Probability of leaving out a unit while training
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    pub dropout: Float,
}

impl SizeArgs {
    /// Sizes with which a training takes seconds, for tests.
    pub const QUICK: SizeArgs = SizeArgs { embedding: 16, hidden: 16, layers: 1, dropout: 0.1 };

    pub fn sizes(&self, words: Words) -> Sizes {
        Sizes {
            source_words: words.source,
            target_words: words.target,
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: self.layers as usize,
            dropout: self.dropout,
        }
    }

    /// Entries of a word's vector, entries of a state, layers: for [`count`](super::count).
    pub fn counts(&self) -> [u128; 3] {
        [self.embedding, self.hidden, self.layers].map(u128::from)
    }

    pub fn check(&self) -> Result<(), String> {
        self.sizes(Words { source: 1, target: 1 }).check()
    }
}

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub repeated: Repeated,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub pairs: u32,
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: u32,
}

impl CompareArgs {
    /// The texts: the same for all seeds, which differ in initial parameters, batches and dropout.
    pub fn corpus(&self) -> Result<Corpus> {
        self.sizes.check().map_err(Error::Argument)?;
        Ok(Corpus::generated(self.pairs as usize, 1, self.repeated.study.common.seed))
    }

    pub fn sizes(&self, corpus: &Corpus) -> Sizes {
        self.sizes.sizes(corpus.words())
    }

    /// A chapter's study of rows that are trained as these arguments and `more` say.
    pub fn study(&self, chapter: &str, corpus: &Corpus, more: Value) -> Result<Study> {
        self.repeated.study(chapter, corpus, self.batch, more)
    }

    pub fn training<'a>(
        &self,
        name: &'a str,
        seed: u64,
        corpus: &'a Corpus,
        progress: &'a Progress,
    ) -> Training<'a> {
        let (batch, options) = (self.batch as usize, self.repeated.options(name, seed));
        Training { name, corpus, batch, options, progress }
    }
}

/// Sizes as textbooks choose them: words 200, two layers, dropout 0.2.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Preset {
    /// Vectors and states of 256, 128 sentences of 9 words
    Textbook,
    /// Vectors and states of 32, 64 sentences of 10 words
    Small,
}

impl Preset {
    /// What is timed: the chapter's choices as the textbook makes them.
    pub fn workload<C: Args>(self, choices: C) -> Workload<Config<C>> {
        let (width, sentences, length) = match self {
            Preset::Textbook => (256, 128, 9),
            Preset::Small => (32, 64, 10),
        };
        let sizes = SizeArgs { embedding: width, hidden: width, layers: 2, dropout: 0.2 };
        let what = format!("two layers of {width}");
        Workload { what, config: Config { sizes, choices }, words: 200, sentences, length }
    }
}
