//! Several trainings that do not depend on each other, side by side: what `compare` is made of.

use super::recipe::Recipe;
use super::whole::{TrainedTranslator, train_observed};
use crate::translating::corpus::Corpus;
use crate::translating::judging::judge::{LengthScore, Scores, bleu_by_length, judge};
use crate::translator::Translator;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use workbench::error::Result;
use workbench::study::{Progress, Spread, StudyArgs};
use workbench::training::Options;

/// Arguments of what is trained several times.
#[derive(Args, Clone, Debug)]
pub struct Repeated {
    /// Seeds, rows, what is kept.
    #[command(flatten)]
    pub study: StudyArgs,
    /// Passes over the data
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
}

/// Trains a model of a chapter, as [`train_model`](super::whole::train_model) does, counting its epochs.
///
/// # Errors
/// As [`workbench::training::train`].
pub fn train_counted<R: Recipe>(
    progress: &Progress,
    corpus: &Corpus,
    config: &R::Config,
    batch: usize,
    options: &Options,
) -> Result<TrainedTranslator<R::Model>> {
    train_observed::<R>(corpus, config, batch, options, &|| progress.epoch())
}

/// A trained model, judged: all that a comparison needs of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// Numbers that are learnt.
    pub parameters: usize,
    /// On every part.
    pub scores: Vec<Scores>,
    /// After every epoch: the loss of validation, and BLEU of greedy translations of 200 of its pairs.
    pub curve: Vec<(f64, f64)>,
    /// How long the training took, beside others.
    pub seconds: f64,
}

/// Trains a model and judges it on every part, which is told under a name.
///
/// # Errors
/// As [`workbench::training::train`].
pub fn train_and_judge<R: Recipe>(
    name: &str,
    corpus: &Corpus,
    config: &R::Config,
    batch: usize,
    options: &Options,
    progress: &Progress,
) -> Result<(R::Model, Judgement)> {
    let begin = Instant::now();
    let trained = train_counted::<R>(progress, corpus, config, batch, options)?;
    let seconds = begin.elapsed().as_secs_f64();
    let evaluations = trained.history.epochs.iter().filter_map(|epoch| epoch.evaluation.as_ref());
    let curve = evaluations.map(|e| (e.loss, e.scores["BLEU"])).collect();
    Ok(judged(name, trained.model, curve, seconds, corpus, options.seed, progress))
}

/// The same of a model that was trained otherwise.
pub fn judged<M: Translator>(
    name: &str,
    mut model: M,
    curve: Vec<(f64, f64)>,
    seconds: f64,
    corpus: &Corpus,
    seed: u64,
    progress: &Progress,
) -> (M, Judgement) {
    let parameters = model.parameter_count();
    let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
    let [test, long] = [0, 1].map(|part| scores[part].bleu);
    progress.say(format!("{name}, seed {seed}: BLEU {test:.1} on test, {long:.1} on long"));
    (model, Judgement { parameters, scores, curve, seconds })
}

impl Judgement {
    /// After every epoch, one of the curve's numbers over the seeds: mean, lowest, highest.
    pub fn curve_of(seeds: &[&Judgement], number: fn((f64, f64)) -> f64) -> Vec<(f64, f64, f64)> {
        let epoch = |epoch: usize| {
            let spread = Spread::of(seeds.iter().map(|seed| number(seed.curve[epoch])));
            (spread.mean, spread.lowest, spread.highest)
        };
        (0..seeds[0].curve.len()).map(epoch).collect()
    }

    /// BLEU by length, test and long together.
    pub fn by_length(&self, corpus: &Corpus) -> Vec<LengthScore> {
        bleu_by_length(&corpus.tests, &self.scores[..2])
    }
}
