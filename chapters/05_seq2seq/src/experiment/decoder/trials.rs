//! The models, and how each is trained.

use super::super::recipe::{Chapter, Choices};
use super::beams::{self, Searched};
use super::exposure::{Losses, losses};
use super::gender::{Counted, count};
use crate::own_words::with_own_words;
use crate::translating::corpus::Corpus;
use crate::translating::judge::{Scores, judge};
use crate::translating::recurrent::{CompareArgs, Config, falling};
use crate::translating::{Progress, Recipe, TranslationTask, Words};
use crate::{Batch, EncoderDecoder, Sizes, Translator};
use shared::{Module, Rng, Tape, Var, rng};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use workbench::error::Result;
use workbench::training::{Evaluation, Prepared, Task, Value, json, train};

/// How a model differs from the chapter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Not at all.
    Simple,
    /// Its last layer sees the word before and the context, too.
    InFull,
    /// Its states have more entries, so many that it has about as many parameters as [`Way::InFull`].
    Wider,
    /// While it learns it reads words of its own.
    OwnWords,
}

/// The share of its own words that [`Way::OwnWords`] reads in the last epoch.
pub(super) const MOST: f64 = 0.5;

/// One training.
pub(super) struct Trial {
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
    /// Of the chapter's model alone.
    pub(super) searched: Vec<Searched>,
    pub(super) pronouns: Vec<Counted>,
}

impl Trial {
    pub(super) fn run(
        &self,
        corpus: &Corpus,
        arguments: &CompareArgs,
        progress: &Progress,
    ) -> Result<Judged> {
        let (usual, batch) = (arguments.sizes(corpus), arguments.batch as usize);
        let sizes = if self.way == Way::Wider { wider(&usual) } else { usual };
        let begin = &mut rng(self.seed);
        let mut model = match self.way {
            Way::InFull => EncoderDecoder::in_full(&sizes, begin),
            Way::Simple | Way::Wider | Way::OwnWords => EncoderDecoder::new(&sizes, begin),
        };
        let options = arguments.options(self.seed);
        let epoch_done = || progress.epoch();
        let task = Learning {
            usual: TranslationTask::new(corpus, batch, json!(null)).observed(&epoch_done),
            epochs: options.epochs,
            most: if self.way == Way::OwnWords { MOST } else { 0.0 },
            begun: AtomicUsize::new(0),
        };
        let steps = (options.epochs * corpus.training.len().div_ceil(batch)) as u64;
        train(&task, &mut model, &falling(options, steps))?;
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        let bleu = scores[0].bleu;
        progress.say(format!("{:?}, seed {}: test BLEU {bleu:.1}", self.way, self.seed));
        let simple = self.way == Way::Simple;
        Ok(Judged {
            way: self.way,
            hidden: sizes.hidden,
            parameters,
            scores,
            losses: losses(&model, &corpus.tests[0]),
            searched: if simple { beams::search(&model, corpus) } else { Vec::new() },
            pronouns: if simple { count(&model, corpus) } else { Vec::new() },
        })
    }
}

/// The sizes with which the chapter's model has about as many parameters as the one in full with
/// `sizes`.
///
/// ```
/// use seq2seq::{EncoderDecoder, Sizes, experiment::decoder::wider};
/// use shared::{Module, rng};
/// let sizes = Sizes { source_words: 90, target_words: 90, embedding: 8, hidden: 16, layers: 1, dropout: 0.0 };
/// let in_full = EncoderDecoder::in_full(&sizes, &mut rng(0)).parameter_count();
/// let wider = EncoderDecoder::new(&wider(&sizes), &mut rng(0)).parameter_count();
/// assert!(in_full.abs_diff(wider) < in_full / 40);
/// ```
pub fn wider(sizes: &Sizes) -> Sizes {
    let words = Words { source: sizes.source_words, target: sizes.target_words };
    let with = |hidden: usize| Sizes { hidden, ..sizes.clone() };
    let parameters = |hidden: usize| {
        let config = Config::new(&with(hidden), Choices {});
        Chapter::parameters(&config, words).unwrap_or(u64::MAX)
    };
    let further = sizes.target_words * (sizes.hidden + sizes.embedding); // the columns of y and c
    let in_full = parameters(sizes.hidden) + further as u64;
    let more = (sizes.hidden..).find(|&hidden| parameters(hidden) >= in_full);
    let more = more.expect("parameters grow with the states");
    let nearest = [more - 1, more].into_iter().min_by_key(|&h| parameters(h).abs_diff(in_full));
    with(nearest.unwrap_or(more))
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
