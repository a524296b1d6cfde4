//! The models, and how each is trained.

use super::super::decoder::Exposure;
use super::super::decoder::exposure::losses;
use super::super::recipe::{Chapter, Choices};
use crate::own_words::with_own_words;
use crate::translating::recurrent::{Config, falling};
use crate::translating::{Judgement, Repeated, Training, TranslationTask};
use crate::{Batch, EncoderDecoder, Sizes, Translator};
use serde::{Deserialize, Serialize};
use shared::{Rng, Tape, Var, rng};
use workbench::error::Result;
use workbench::training::{Evaluation, Options, Prepared, Task, Value, json, train as train_model};

/// How a model differs from the chapter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Change {
    Nothing,
    /// Its last layer sees the word before and the context, too.
    InFull,
    /// While it learns it reads words of its own.
    OwnWords,
}

/// The share of its own words that [`Change::OwnWords`] reads in the last epoch.
const MOST: f64 = 0.5;

#[derive(Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) losses: Exposure<f64>,
}

pub(super) type Trained = crate::translating::Trained<Asked>;

pub(super) fn train(
    mut training: Training,
    (sizes, change): &(Sizes, Change),
    repeated: &Repeated,
) -> Result<Trained> {
    let seed = training.options.seed;
    let rng = &mut rng(seed);
    let (model, judgement) = match change {
        Change::Nothing => {
            training.options = repeated.options("default", seed); // it may have been kept
            training.judged::<Chapter>(&Config::new(sizes, Choices {}))?
        }
        Change::InFull => changed(&training, EncoderDecoder::in_full(sizes, rng), 0.0)?,
        Change::OwnWords => changed(&training, EncoderDecoder::new(sizes, rng), MOST)?,
    };
    Ok(Trained { judgement, more: Asked { losses: losses(&model, &training.corpus.tests[0]) } })
}

fn changed(
    training: &Training,
    mut model: EncoderDecoder,
    most: f64,
) -> Result<(EncoderDecoder, Judgement)> {
    let Training { name, corpus, batch, ref options, progress } = *training;
    let count = || progress.epoch();
    let usual = TranslationTask::new(corpus, batch, json!(name)).observed(&count);
    let Options { epochs, .. } = *options;
    let steps = (epochs * corpus.training.len().div_ceil(batch)) as u64;
    let task = Learning { usual, epochs, most };
    train_model(&task, &mut model, &falling(options.clone(), steps))?;
    let judgement = training.judge(&mut model);
    Ok((model, judgement))
}

/// Translation as a task, with words of the model's own among those that it is given: none in the
/// first epoch, and as many more in every further one (Bengio et al. 2015: *scheduled sampling*).
struct Learning<'a> {
    usual: TranslationTask<'a, EncoderDecoder>,
    epochs: usize,
    most: f64,
}

impl Task for Learning<'_> {
    type Model = EncoderDecoder;
    /// With the share of its own words that the model reads.
    type Shard = (Batch, f64);

    fn describe(&self) -> Value {
        self.usual.describe()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        self.usual.batches(rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Self::Shard> {
        let Prepared { shards, tokens, divisor } = self.usual.prepare(examples, shards, rng);
        Prepared { shards: shards.into_iter().map(|batch| (batch, 0.0)).collect(), tokens, divisor }
    }

    fn begin_step(&self, before: u64, shards: &mut [Self::Shard]) {
        let steps = self.usual.corpus.training.len().div_ceil(self.usual.batch) as u64;
        let epoch = (before / steps) as f64; // from 0
        let most = self.most * epoch / (self.epochs as f64 - 1.0).max(1.0);
        shards.iter_mut().for_each(|(_, share)| *share = most);
    }

    fn loss<'t>(
        &self,
        model: &EncoderDecoder,
        tape: &'t Tape,
        (batch, share): &Self::Shard,
    ) -> Var<'t> {
        if *share == 0.0 {
            return model.training_loss(tape, batch);
        }
        let own = |rng: &mut Rng| with_own_words(model, batch, *share, rng);
        let batch = tape.draw(own).expect("a tape for training");
        model.training_loss(tape, &batch)
    }

    fn evaluate(&self, model: &EncoderDecoder, epoch: usize) -> Option<Evaluation> {
        self.usual.evaluate(model, epoch)
    }
}
