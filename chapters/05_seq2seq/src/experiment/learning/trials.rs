//! The models, and how each is trained.

use super::super::arguments::Arguments;
use super::super::decoder::exposure::{Losses, losses};
use super::super::recipe::{Chapter, Choices};
use crate::own_words::with_own_words;
use crate::translating::TranslationTask;
use crate::translating::corpus::Corpus;
use crate::translating::judge::{Scores, judge};
use crate::translating::recurrent::{Config, falling};
use crate::translating::train_counted;
use crate::{Batch, EncoderDecoder, Sizes, Translator};
use shared::{Module, Rng, Tape, Var, rng};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use workbench::error::Result;
use workbench::study::Progress;
use workbench::training::{Evaluation, Options, Prepared, Task, Value, json, train};

/// How a model differs from the chapter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Not at all.
    Simple,
    /// Its last layer sees the word before and the context, too.
    InFull,
    /// While it learns it reads words of its own.
    OwnWords,
}

/// The share of its own words that [`Way::OwnWords`] reads in the last epoch.
pub(super) const MOST: f64 = 0.5;

/// One training.
pub(super) struct Trial {
    pub(super) name: &'static str,
    pub(super) way: Way,
    pub(super) seed: u64,
}

/// What it found.
pub(super) struct Judged {
    pub(super) way: Way,
    pub(super) hidden: usize,
    pub(super) parameters: usize,
    pub(super) scores: Vec<Scores>,
    pub(super) losses: Losses,
}

impl Trial {
    pub(super) fn run(
        &self,
        corpus: &Corpus,
        arguments: &Arguments,
        progress: &Progress,
    ) -> Result<Judged> {
        let sizes = arguments.usual.sizes(corpus);
        let mut model = self.trained(&sizes, corpus, arguments, progress)?;
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        let bleu = scores[0].bleu;
        progress.say(format!("{}, seed {}: test BLEU {bleu:.1}", self.name, self.seed));
        Ok(Judged {
            way: self.way,
            hidden: sizes.hidden,
            parameters: model.parameter_count(),
            scores,
            losses: losses(&model, &corpus.tests[0]),
        })
    }

    fn trained(
        &self,
        sizes: &Sizes,
        corpus: &Corpus,
        arguments: &Arguments,
        progress: &Progress,
    ) -> Result<EncoderDecoder> {
        let (batch, seed) = (arguments.usual.batch as usize, self.seed);
        let (mut model, most, options) = match self.way {
            Way::Simple => {
                let (config, options) =
                    (Config::new(sizes, Choices {}), arguments.options("default", seed));
                return Ok(
                    train_counted::<Chapter>(progress, corpus, &config, batch, &options)?.model
                );
            }
            Way::InFull => {
                let model = EncoderDecoder::in_full(sizes, &mut rng(seed));
                (model, 0.0, arguments.options(self.name, seed))
            }
            Way::OwnWords => {
                // not kept: the share that it reads follows from epochs counted since the start
                (EncoderDecoder::new(sizes, &mut rng(seed)), MOST, arguments.usual.options(seed))
            }
        };
        let steps = (options.epochs * corpus.training.len().div_ceil(batch)) as u64;
        let Options { epochs, .. } = options;
        let epoch_done = || progress.epoch();
        let usual = TranslationTask::new(corpus, batch, json!(self.name)).observed(&epoch_done);
        let task = Learning { usual, epochs, most, begun: AtomicUsize::new(0) };
        train(&task, &mut model, &falling(options, steps))?;
        Ok(model)
    }
}

/// Translation as a task, with words of the model's own among those that it is given: none in the
/// first epoch, and as many more in every further one (Bengio et al. 2015: *scheduled sampling*).
struct Learning<'a> {
    usual: TranslationTask<'a, EncoderDecoder>,
    epochs: usize,
    most: f64,
    begun: AtomicUsize,
}

impl Task for Learning<'_> {
    type Model = EncoderDecoder;
    type Shard = Batch;

    fn describe(&self) -> Value {
        self.usual.describe()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        self.begun.fetch_add(1, Relaxed);
        self.usual.batches(rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Batch> {
        self.usual.prepare(examples, shards, rng)
    }

    // ANCHOR: scheduled
    fn loss<'t>(
        &self,
        model: &EncoderDecoder,
        tape: &'t Tape,
        batch: &Batch,
        rng: &mut Rng,
    ) -> Var<'t> {
        let epoch = self.begun.load(Relaxed) as f64; // from 1
        let share = self.most * (epoch - 1.0) / (self.epochs as f64 - 1.0).max(1.0);
        if share == 0.0 {
            return model.loss(tape, batch, Some(rng));
        }
        let batch = with_own_words(model, batch, share, rng);
        model.loss(tape, &batch, Some(rng))
    }
    // ANCHOR_END: scheduled

    fn evaluate(&self, model: &EncoderDecoder, epoch: usize) -> Option<Evaluation> {
        self.usual.evaluate(model, epoch)
    }
}
