//! Translation as a task for the course's training loop.

use crate::batch::Batch;
use crate::translating::corpus::Corpus;
use crate::translating::judge::{bleu_of, mean_loss};
use crate::translator::Translator;
use corpora::{BEGIN, bucketed_batches};
use rayon::prelude::*;
use shared::{Rng, Tape, Var};
use std::marker::PhantomData;
use workbench::training::{Evaluation, Prepared, Task, Value, cut};

pub struct TranslationTask<'a, M> {
    pub corpus: &'a Corpus,
    pub batch: usize,
    /// How many validation pairs are translated after every epoch.
    pub translated: usize,
    /// What must be the same when a run goes on.
    pub description: Value,
    model: PhantomData<fn(M)>,
}

impl<'a, M> TranslationTask<'a, M> {
    /// Batches of `batch` pairs; `description` names corpus and model.
    pub fn new(corpus: &'a Corpus, batch: usize, description: Value) -> TranslationTask<'a, M> {
        TranslationTask { corpus, batch, translated: 200, description, model: PhantomData }
    }
}

impl<M: Translator> Task for TranslationTask<'_, M> {
    type Model = M;
    type Shard = Batch;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    /// Pairs of about the same lengths, so that the columns of a step stay many.
    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        let training = &self.corpus.training.sentences;
        let lengths: Vec<(usize, usize)> =
            training.source.iter().zip(&training.target).map(|(s, t)| (s.len(), t.len())).collect();
        bucketed_batches(&lengths, self.batch, rng)
    }

    /// Some pairs for each shard, long and short ones; the loss is a mean over the words of all.
    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Batch> {
        let shards = cut(examples, shards).into_par_iter().map(|shard| {
            let pairs: Vec<_> = shard.iter().map(|&i| self.corpus.training.numbers(i)).collect();
            Batch::new(&pairs, BEGIN)
        });
        let shards: Vec<Batch> = shards.collect();
        let words = shards.iter().map(Batch::tokens).sum();
        Prepared::mean(shards, words)
    }

    /// The cross-entropy of a shard.
    fn loss<'t>(&self, model: &M, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        model.training_loss(tape, batch)
    }

    fn evaluate(&self, model: &M, _epoch: usize) -> Option<Evaluation> {
        let validation = &self.corpus.validation;
        let bleu = bleu_of(model, self.corpus, validation, self.translated);
        Some(Evaluation::new(mean_loss(model, validation)).with("BLEU", bleu))
    }
}
