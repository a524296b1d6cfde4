//! What the recurrent translators of chapters 5 to 7 have in common: sizes as arguments, a schedule,
//! the textbook's sizes.

use super::recipe::{Words, Workload};
use super::rows::Repeated;
use crate::Sizes;
use crate::translating::corpus::Corpus;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use shared::Float;
use workbench::error::{Error, Result};
use workbench::training::{Options, Schedule, Shape};

/// What a recurrent translator is made of.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config<C: Args> {
    /// Widths, layers, dropout.
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// What the chapter lets choose.
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

/// The sizes of a model.
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

    /// The sizes of a model that knows so many words.
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

    /// Whether a model can be built: see [`Sizes::check`].
    ///
    /// # Errors
    /// With the reason, when it cannot.
    pub fn check(&self) -> Result<(), String> {
        self.sizes(Words { source: 1, target: 1 }).check()
    }
}

/// Arguments of the chapters' `compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// Output folder, seeds, passes.
    #[command(flatten)]
    pub repeated: Repeated,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub pairs: u32,
    /// Widths.
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: u32,
}

impl CompareArgs {
    /// The texts: the same for all seeds, which differ in initial parameters, batches and dropout.
    ///
    /// # Errors
    /// When no model can be built as the arguments say.
    pub fn corpus(&self) -> Result<Corpus> {
        self.sizes.check().map_err(Error::Argument)?;
        Ok(Corpus::generated(self.pairs as usize, 1, self.repeated.study.common.seed))
    }

    /// The sizes of a model for a corpus.
    pub fn sizes(&self, corpus: &Corpus) -> Sizes {
        self.sizes.sizes(corpus.words())
    }

    /// The chapters' options with a seed.
    pub fn options(&self, seed: u64) -> Options {
        Options { seed, epochs: self.repeated.epochs as usize, ..options() }
    }
}

/// The chapters' way of training, the defaults behind every number on their pages: Adam, its rate
/// falling in a straight line from 0.003 to 0 ([`falling`]), gradients no longer than 1.
pub fn options() -> Options {
    Options { epochs: 15, schedule: Schedule::constant(3e-3), ..Options::default() }
}

/// [`options`] with as many passes as give 3,000 steps, if the pairs are few.
pub fn options_for(pairs: usize, batch: usize) -> Options {
    const STEPS: usize = 3_000;
    let usual = options();
    let epochs = STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(usual.epochs, 200);
    Options { epochs, ..usual }
}

/// Lets the learning rate fall to 0 in the last of the steps.
pub fn falling(options: Options, steps: u64) -> Options {
    let schedule = Schedule { shape: Shape::Linear { total: steps }, ..options.schedule };
    Options { schedule, ..options }
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
