//! A training of seconds, for tests to repeat.

use super::recipe::Recipe;
use super::whole::train_model;
use crate::translating::corpus::Corpus;
use crate::translating::judging::judge::mean_loss;
use serde::{Deserialize, Serialize};
use workbench::training::Options;

/// A training of seconds: the validation loss after an epoch on 300 pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quick {
    /// Nats a word on 1000 validation pairs.
    pub loss: f64,
}

pub fn quick<R: Recipe>(config: &R::Config) -> Quick {
    let (corpus, batch) = (Corpus::generated(300, 1, 0), 32);
    let options = Options { epochs: 1, ..R::options(corpus.training.len(), batch) };
    let run = train_model::<R>(&corpus, config, batch, &options);
    let model = run.expect("no file is written, no number is infinite").model;
    Quick { loss: mean_loss(&model, &corpus.validation) }
}
