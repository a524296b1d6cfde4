//! A training from beginning to end.

use super::memory::training_memory;
use super::recipe::Recipe;
use super::task::TranslationTask;
use crate::translating::corpus::Corpus;
use crate::translator::Translator;
use shared::rng;
use workbench::error::{Error, Result};
use workbench::memory::must_fit;
use workbench::training::{History, Options, json, train};

pub struct TrainedTranslator<M> {
    pub model: M,
    pub history: History,
}

/// Trains a model of a chapter on a corpus, with the chapter's schedule
/// ([`Recipe::scheduled`]).
pub fn train_model<R: Recipe>(
    corpus: &Corpus,
    config: &R::Config,
    batch: usize,
    options: &Options,
) -> Result<TrainedTranslator<R::Model>> {
    train_observed::<R>(corpus, config, batch, options, &|| ())
}

/// [`train_model`] that calls `epoch_done` after every epoch.
pub(crate) fn train_observed<R: Recipe>(
    corpus: &Corpus,
    config: &R::Config,
    batch: usize,
    options: &Options,
    epoch_done: &(dyn Fn() + Sync),
) -> Result<TrainedTranslator<R::Model>> {
    let joint = corpus.source.merges().is_some();
    R::check_vocabularies(config, joint).map_err(Error::Argument)?;
    let words = corpus.words();
    let needs = |lengths: &[(usize, usize)], batch, copies| {
        training_memory::<R>(config, words, lengths, batch, copies)
    };
    // Every shard has gradients, and every epoch that is averaged has values of its own.
    let copies = options.shards + options.average.unwrap_or(0);
    let training = needs(&corpus.training.sentences.lengths(), batch, copies);
    let judged = corpus.parts().flat_map(|part| part.sentences.lengths());
    let judging = needs(&judged.collect::<Vec<_>>(), 1, 0); // sentences of a test may be longer
    let memory = training.zip(judging).map(|(training, judging)| training.max(judging));
    must_fit("training this model on these sentences", memory)?;
    let mut model = R::build(config, words, &mut rng(options.seed));
    corpus.must_fit(model.longest())?;
    let description = json!({
        "model": R::CHAPTER,
        "fingerprint of the texts": corpus.fingerprint(),
        "config": config,
        "batch": batch,
    });
    let task = TranslationTask::new(corpus, batch, description).observed(epoch_done);
    let steps = (options.epochs * corpus.training.len().div_ceil(batch)) as u64;
    let history = train(&task, &mut model, &R::scheduled(config, options.clone(), steps))?;
    Ok(TrainedTranslator { model, history })
}
