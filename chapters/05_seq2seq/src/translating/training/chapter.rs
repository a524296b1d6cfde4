//! A chapter's translators as a value that its program hands down, and how one of them is trained.

use super::task::TranslationTask;
use crate::translating::corpus::{Corpus, Words};
use crate::translating::drawing::look::Look;
use crate::translating::judge::must_fit_judging;
use crate::translator::Translator;
use clap::Args;
use serde::{Serialize, de::DeserializeOwned};
use shared::{Rng, rng};
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::training::{History, Options, Schedule, Shape, json, train};

/// What a model is made of, the number of words aside: given as arguments, kept with the model.
pub trait Description:
    Args + Clone + Serialize + DeserializeOwned + PartialEq + Sync + 'static
{
}

impl<C> Description for C where
    C: Args + Clone + Serialize + DeserializeOwned + PartialEq + Sync + 'static
{
}

/// All that the common program needs to know of a chapter's translators: how a description becomes a model, and how
/// that is trained.
pub struct Chapter<C: 'static, M> {
    /// The package, which also names the output folder.
    pub name: &'static str,
    /// What the program is about: a line, and what its help says more.
    pub about: [&'static str; 2],
    /// Pairs a training step, by default.
    pub batch: usize,
    /// Whether such a model can be built, for one vocabulary of both languages or for two.
    pub check: fn(&C, bool) -> Result<(), String>,
    /// Whether arguments ask for what the model would not heed. A file may: it holds what an earlier version let
    /// pass.
    pub heeds: fn(&C) -> Result<(), String>,
    /// Numbers that its parameters have at least, before anything is built: about a third of them, or more.
    pub least: fn(&C, Words) -> u128,
    pub build: fn(&C, Words, &mut Rng) -> M,
    /// How it is trained on so many pairs in batches of so many. A rate that falls in a line arrives at 0 in the last
    /// step.
    pub options: fn(&C, usize, usize) -> Options,
    /// The heads of a model that has several; another's alignment says all.
    pub heads: Option<Heads<M>>,
    /// The workloads that `bench` times, by name.
    pub benches: &'static [Bench<C>],
}

/// Its name, and what is timed.
pub type Bench<C> = (&'static str, fn() -> Workload<C>);

pub struct Heads<M> {
    /// Where every head looked in a pair of sentences, their end words included.
    pub looks: fn(&M, &[usize], &[usize]) -> Vec<Look>,
    /// Exchanges what a head writes with (one of the looks, a block and a head of it) for what is given, or for
    /// nothing, and returns what was there.
    pub ablate: fn(&mut M, [usize; 3], Option<shared::Matrix>) -> shared::Matrix,
}

/// A workload to be timed: a model, and a batch of random sentences of one length.
pub struct Workload<C> {
    pub what: String,
    pub config: C,
    pub words: usize,
    pub sentences: usize,
    pub length: usize,
}

pub struct Trained<M> {
    pub model: M,
    pub history: History,
}

impl<C: Description, M: Translator> Chapter<C, M> {
    /// Trains a model on a corpus.
    pub fn train(
        &self,
        corpus: &Corpus,
        config: &C,
        batch: usize,
        options: &Options,
    ) -> Result<Trained<M>> {
        // Values, two moments, and the gradients of two shards: what a step holds beside them is measured.
        let bytes = 20 * (self.least)(config, corpus.words());
        must_fit("training this model", bytes.try_into().ok())?;
        must_fit_judging(corpus)?;
        let mut model = (self.build)(config, corpus.words(), &mut rng(options.seed));
        corpus.must_fit(model.longest())?;
        let description = json!({
            "model": self.name,
            "fingerprint of the texts": corpus.fingerprint(),
            "config": config,
            "batch": batch,
        });
        let steps = (options.epochs * corpus.training.len().div_ceil(batch)) as u64;
        let shape = match options.schedule.shape {
            Shape::Linear { .. } => Shape::Linear { total: steps },
            shape => shape,
        };
        let schedule = Schedule { shape, ..options.schedule };
        let task = TranslationTask::new(corpus, batch, description);
        let history = train(&task, &mut model, &Options { schedule, ..options.clone() })?;
        Ok(Trained { model, history })
    }
}
