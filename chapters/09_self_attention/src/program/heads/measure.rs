//! All trainings, and what they gave.

use super::filler::{Kind, encoded, judge, train};
use super::texts::texts;
use crate::program::statistics::{commonest, share};
use corpora::Vocabulary;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{Spread, over_seeds, short, trainings, with_seeds};

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    /// How often a training is repeated, with other start values, in another order, with other words
    /// hidden.
    pub seeds: usize,
    pub epochs: usize,
    /// For training, set aside, and for the test.
    pub sentences: [usize; 3],
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 3, epochs: 14, sentences: [4000, 400, 600] }
    }
}

impl Config {
    fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Filled<N = Spread> {
    pub parameters: usize,
    /// Of the test's words, each hidden in turn: nats.
    pub loss: N,
    pub right: N,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heads {
    pub sentences: [usize; 3],
    pub words: usize,
    pub commonest: Float,
    /// By [`Kind`].
    pub filled: BTreeMap<String, Filled>,
}

pub fn measure(config: &Config) -> Result<Heads> {
    let parts = texts(config.sentences, &mut rng(config.stream(900)));
    let vocabulary = Vocabulary::new(parts[0].iter().map(Vec::as_slice), 1);
    let [training, test] = [0, 2].map(|part| encoded(&parts[part], &vocabulary));
    let run = |(kind, seed): &(Kind, u64)| -> Result<Filled<Float>> {
        let mut filler = kind.filler(vocabulary.len(), config.stream(1000 + seed));
        train(&mut filler, &training, config.epochs, config.stream(1100 + seed))?;
        let (loss, right) = judge(&filler, &test);
        Ok(Filled { parameters: filler.parameter_count(), loss, right })
    };
    let runs = trainings("one head or several", &with_seeds(&Kind::ALL, config.seeds), run)?;
    let runs: Vec<&Filled<Float>> = runs.iter().collect();
    let by_kind = Kind::ALL.iter().zip(runs.chunks(config.seeds));
    let common = commonest(training.iter().flatten());
    Ok(Heads {
        sentences: config.sentences,
        words: vocabulary.len(),
        commonest: short(share(test.iter().flatten().map(|word| Some(word) == common))),
        filled: by_kind.map(|(kind, of_seeds)| (kind.name(), over_seeds(of_seeds))).collect(),
    })
}
