//! A training of seconds, for tests to repeat.

use super::mechanisms::{MECHANISMS, Mechanism};
use crate::choices::Chapter;
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::mean_loss;
use seq2seq::translating::recurrent::{self, options};
use seq2seq::translating::train_model;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::training::Options;

/// The test's loss of small models after two epochs on 300 pairs.
///
/// # Errors
/// When a training fails.
pub fn quick() -> Result<BTreeMap<String, f64>> {
    let corpus = Corpus::generated(300, 1, 0);
    let sizes = Sizes {
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        embedding: 16,
        hidden: 24,
        layers: 1,
        dropout: 0.1,
    };
    let options = Options { epochs: 2, ..options() };
    let loss = |(mechanism, feeding): (Mechanism, bool)| {
        let choices = mechanism.choices(feeding);
        let trained = train_model::<Chapter>(
            &corpus,
            &recurrent::Config::new(&sizes, choices),
            32,
            &options,
        )?;
        let name = if feeding { "fed" } else { "plain" };
        Ok((format!("{}_{name}", mechanism.name), mean_loss(&trained.model, &corpus.tests[0])))
    };
    [(MECHANISMS[2], false), (MECHANISMS[2], true), (MECHANISMS[7], true)]
        .into_iter()
        .map(loss)
        .collect()
}
