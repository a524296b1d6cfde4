//! How a chapter's model is built and trained.

use super::schedule::{falling, options_for};
use crate::translating::drawing::look::Look;
use crate::translator::Translator;
use clap::{Args, ValueEnum};
use serde::{Serialize, de::DeserializeOwned};
use shared::Rng;
use workbench::training::Options;

/// How a chapter's model is built and trained: what any training needs, whoever begins it. A recurrent
/// model is trained like those of its kind.
pub trait Recipe {
    /// The package, which also names the output folder.
    const CHAPTER: &'static str;
    /// Pairs a training step, by default.
    const BATCH: usize = 64;
    type Model: Translator;
    /// What a model is made of, the number of words aside; given as arguments, kept with the model.
    type Config: Args + Clone + Serialize + DeserializeOwned + PartialEq + Sync;

    /// Whether a model can be built, of whatever a file may ask for.
    fn check(config: &Self::Config) -> Result<(), String>;

    /// Whether arguments ask for what the model would not heed. A file is not asked: it may hold what an
    /// earlier version let pass.
    fn check_arguments(_config: &Self::Config) -> Result<(), String> {
        Ok(())
    }

    /// Whether a model can be built for two vocabularies, or for one of both languages.
    fn check_vocabularies(_config: &Self::Config, _joint: bool) -> Result<(), String> {
        Ok(())
    }

    /// How many parameters such a model has, if 64 bits are enough: known before anything is built.
    fn parameters(config: &Self::Config, words: Words) -> Option<u64>;

    /// Entries of the vectors that the model's matrices multiply, and heads of attention in all blocks
    /// together: for an estimate of memory.
    fn width_and_heads(config: &Self::Config) -> (u32, u32);

    fn build(config: &Self::Config, words: Words, rng: &mut Rng) -> Self::Model;

    /// How a model is trained on so many pairs in batches of so many, by default.
    fn options(pairs: usize, batch: usize) -> Options {
        options_for(pairs, batch)
    }

    /// The options when it is known how many steps the whole training has: a schedule may end with
    /// them. Nothing else changes a schedule.
    fn scheduled(_config: &Self::Config, options: Options, steps: u64) -> Options {
        falling(options, steps)
    }

    /// Where every head looked in a pair of sentences, their end words included; nothing of a model
    /// whose alignment says all.
    fn looks(_model: &Self::Model, _source: &[usize], _target: &[usize]) -> Vec<Look> {
        Vec::new()
    }

    /// What `then` finds in the model while a head is silent: one of [`Recipe::looks`], a block and a head
    /// of it; `None` of a model without heads.
    fn without_head<T>(
        _model: &mut Self::Model,
        _head: [usize; 3],
        _then: impl FnOnce(&Self::Model) -> T,
    ) -> Option<T> {
        None
    }
}

/// What `bench` times of a chapter's models.
pub trait Benched: Recipe {
    /// The names of the configurations; the first is the default.
    type Preset: ValueEnum + Clone + Send + Sync + 'static;

    fn workload(preset: &Self::Preset) -> Workload<Self::Config>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    pub source: usize,
    pub target: usize,
}

impl Words {
    pub fn counts(self) -> [u128; 2] {
        [self.source, self.target].map(|words| words as u128)
    }
}

/// What is timed: a model, and a batch of random sentences of one length.
pub struct Workload<C> {
    pub what: String,
    pub config: C,
    pub words: usize,
    pub sentences: usize,
    pub length: usize,
}
