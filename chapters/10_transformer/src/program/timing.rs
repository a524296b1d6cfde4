//! How long does a training step take? Measured before the trainings, on one thread, all models in
//! turn.

use super::conv_s2s::Convolutions;
use super::normalised::BatchNormed;
use super::recipe::Chapter;
use super::rows::{Model, Row};
use corpora::{BEGIN, bucketed_batches};
use rayon::ThreadPoolBuilder;
use seq2seq::translating::Recipe;
use seq2seq::translating::corpus::Corpus;
use seq2seq::{Batch, Translator};
use shared::{Tape, rng};
use std::time::Instant;
use workbench::error::{Error, Result};

type Step = Box<dyn Fn() + Send + Sync>;

const ROUNDS: usize = 40;

/// Milliseconds of the loss of a batch of medium length and its gradients, the fastest of
/// [`ROUNDS`], for every row.
pub(super) fn milliseconds(rows: &[Row], corpus: &Corpus, batch: usize) -> Result<Vec<f64>> {
    let batch = medium_batch(corpus, batch);
    let steps: Vec<Step> = rows.iter().map(|row| step(row, corpus, &batch)).collect();
    let alone = ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::argument)?;
    let mut best = vec![f64::INFINITY; steps.len()];
    alone.install(|| {
        for _ in 0..ROUNDS {
            for (step, best) in steps.iter().zip(&mut best) {
                let begin = Instant::now();
                step();
                *best = best.min((begin.elapsed().as_secs_f64() * 1e5).round() / 100.0);
            }
        }
    });
    Ok(best)
}

fn step(row: &Row, corpus: &Corpus, batch: &Batch) -> Step {
    fn of<R: Recipe>(config: &R::Config, corpus: &Corpus, batch: &Batch) -> Step
    where
        R::Model: Send + Sync + 'static,
    {
        let (model, batch) = (R::build(config, corpus.words(), &mut rng(0)), batch.clone());
        Box::new(move || drop(model.training_loss(&Tape::training(rng(0)), &batch).backward()))
    }
    match &row.config.model {
        Model::Seq2seq(config) => of::<seq2seq::program::Chapter>(config, corpus, batch),
        Model::Bahdanau(config) => of::<bahdanau::program::Chapter>(config, corpus, batch),
        Model::Luong(config) => of::<luong::program::Chapter>(config, corpus, batch),
        Model::Transformer(sizes, _) => of::<Chapter>(sizes, corpus, batch),
        Model::BatchNorm(sizes, _) => of::<BatchNormed>(sizes, corpus, batch),
        Model::ConvS2S(sizes, _) => of::<Convolutions>(sizes, corpus, batch),
    }
}

fn medium_batch(corpus: &Corpus, size: usize) -> Batch {
    let training = &corpus.training;
    let lengths = training.sentences.lengths();
    let mut batches = bucketed_batches(&lengths, size, &mut rng(0));
    batches.sort_by_key(|batch| batch.iter().map(|&i| lengths[i].1).sum::<usize>());
    let pairs: Vec<_> = batches[batches.len() / 2].iter().map(|&i| training.numbers(i)).collect();
    Batch::new(&pairs, BEGIN)
}
