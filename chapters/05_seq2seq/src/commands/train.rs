//! `train`: learn, judge, draw, keep.

use super::report::report;
use super::{Recipe, files};
use crate::Sizes;
use crate::corpus::{Corpus, CorpusArgs};
use crate::task::Translation;
use clap::Args;
use shared::{Float, rng};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::program::{Common, Output, TrainingArgs, say};
use workbench::training::{History, Options, Schedule, Shape, json, train as run_training};

/// Arguments of `train`.
#[derive(Args, Debug, Clone)]
pub struct TrainArgs<C: Args> {
    /// Output folder and seed.
    #[command(flatten)]
    pub common: Common,
    /// Epochs, learning rate, checkpoints.
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Texts.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Widths.
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// What the chapter lets choose.
    #[command(flatten)]
    pub choices: C,
}

/// The sizes of a model, and of a batch.
#[derive(Args, Debug, Clone)]
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
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: u32,
}

/// The chapters' way of training, the defaults behind every number on their pages: Adam, its rate
/// falling in a straight line from 0.003 to 0, gradients no longer than 1.
pub fn options() -> Options {
    Options { epochs: 15, schedule: Schedule::constant(3e-3), ..Options::default() }
}

/// Passes over the data unless told otherwise: [`options`]' many, or, of fewer pairs, as many as give
/// 3,000 steps.
fn epochs_for(pairs: usize, batch: usize) -> usize {
    const STEPS: usize = 3_000;
    STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(options().epochs, 200)
}

/// Lets the learning rate fall to 0 in the last of the steps.
fn falling(options: Options, pairs: usize, batch: usize) -> Options {
    let total = (options.epochs * pairs.div_ceil(batch)) as u64;
    let schedule = Schedule { shape: Shape::Linear { total }, ..options.schedule };
    Options { schedule, ..options }
}

impl SizeArgs {
    /// The sizes of a model for a corpus.
    ///
    /// # Errors
    /// When the dropout is not a probability below 1.
    pub fn sizes(&self, corpus: &Corpus) -> Result<Sizes> {
        let sizes = Sizes {
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: self.layers as usize,
            dropout: self.dropout,
        };
        sizes.check().map_err(Error::Argument)?;
        Ok(sizes)
    }
}

/// A model after training.
pub struct Trained<M> {
    /// The model.
    pub model: M,
    /// How it went.
    pub history: History,
}

/// Trains a model of a chapter on a corpus.
///
/// # Errors
/// As [`workbench::training::train`].
pub fn train_model<R: Recipe>(
    corpus: &Corpus,
    (sizes, choices): (&Sizes, &R::Choices),
    batch: usize,
    options: &Options,
) -> Result<Trained<R::Model>> {
    train_observed::<R>(corpus, (sizes, choices), batch, options, &|| ())
}

/// [`train_model`] that calls `epoch_done` after every epoch.
pub(super) fn train_observed<R: Recipe>(
    corpus: &Corpus,
    (sizes, choices): (&Sizes, &R::Choices),
    batch: usize,
    options: &Options,
    epoch_done: &(dyn Fn() + Sync),
) -> Result<Trained<R::Model>> {
    let mut model = R::build(sizes, choices, &mut rng(options.seed));
    let description = json!({
        "model": R::CHAPTER,
        "fingerprint of the pairs": corpus.training.fingerprint(), // other pairs, other vocabularies
        "sizes": sizes,
        "choices": choices,
        "batch": batch,
    });
    let task = Translation::new(corpus, batch, description).observed(epoch_done);
    let options = falling(options.clone(), corpus.training.len(), batch);
    let history = run_training(&task, &mut model, &options)?;
    Ok(Trained { model, history })
}

/// The folder in an output folder that keeps the model unless a checkpoint folder is named.
pub const MODEL: &str = "model";

/// The folder `translate` looks into unless told otherwise.
pub fn model_folder<R: Recipe>() -> PathBuf {
    PathBuf::from("out").join(R::CHAPTER).join(MODEL)
}

/// Trains, judges, draws, keeps.
///
/// # Errors
/// When a file cannot be read or written, an argument makes no sense, or training fails.
pub fn train<R: Recipe>(arguments: &TrainArgs<R::Choices>) -> Result<()> {
    let output = Output::open(&arguments.common, R::CHAPTER)?;
    let corpus = Corpus::open(&arguments.corpus, arguments.common.seed)?;
    let sizes = arguments.sizes.sizes(&corpus)?;
    let batch = arguments.sizes.batch as usize;
    let options = Options { epochs: epochs_for(corpus.training.len(), batch), ..options() };
    let options = arguments.training.options(&arguments.common, options)?;
    let beside = || output.folder().join(MODEL);
    let folder = Output::at(options.checkpoint.clone().unwrap_or_else(beside))?;
    introduce(&corpus);
    let model = (&sizes, &arguments.choices);
    let mut trained = train_model::<R>(&corpus, model, batch, &options)?;
    let words = (&corpus.source, &corpus.target);
    files::save::<R>(folder.folder(), &mut trained.model, model, words)?;
    report::<R>(&corpus, &mut trained, options.seed, &output)?;
    farewell::<R>(folder.folder(), &output);
    Ok(())
}

fn introduce(corpus: &Corpus) {
    corpus.notice.iter().for_each(say);
    let (pairs, validation) = (corpus.training.len(), corpus.validation.len());
    let (source, target) = (corpus.source.len(), corpus.target.len());
    say(format!(
        "{pairs} pairs of sentences to learn from, {validation} to watch it by; {source} words to \
         read, {target} to write\n"
    ));
}

/// Where everything is, and what to do with it.
fn farewell<R: Recipe>(model: &Path, output: &Output) {
    let at = match model == model_folder::<R>() {
        true => String::new(),
        false => format!(" --checkpoint {}", model.display()),
    };
    say(format!("\nthe model is in {}", model.display()));
    say(format!("figures and results.json are in {}", output.folder().display()));
    say(format!("try: cargo run --release -p {} -- translate{at} \"…\"", R::CHAPTER));
}
