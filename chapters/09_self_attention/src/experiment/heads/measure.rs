//! All trainings, and what they gave.

use super::filler::{Context, Filler, encoded, judge, train};
use super::looking::{Distance, Followed, Found, distances, glances, relations, summary, uniform};
use super::texts::texts;
use crate::experiment::statistics::{share, short, spread};
use corpora::Vocabulary;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::Spread;

/// What can be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often a training is repeated, with other start values, in another order, with other words
    /// hidden.
    pub seeds: usize,
    /// Passes over the sentences.
    pub epochs: usize,
    /// Sentences for training, validation and test.
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

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Attention alone, with so many heads a block.
    Heads(usize),
    /// A GRU alone.
    Recurrent,
    /// A GRU below one block of attention with [`SEVERAL`] heads.
    Both,
}

/// The number of heads that is looked at closely.
pub const SEVERAL: usize = 4;

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [
        Kind::Heads(1),
        Kind::Heads(2),
        Kind::Heads(SEVERAL),
        Kind::Heads(8),
        Kind::Recurrent,
        Kind::Both,
    ];

    /// As results name it.
    pub fn name(self) -> String {
        match self {
            Kind::Heads(heads) => format!("h{heads}"),
            Kind::Recurrent => "gru".to_owned(),
            Kind::Both => "both".to_owned(),
        }
    }

    /// With random parameters.
    pub fn filler(self, words: usize, seed: u64) -> Filler {
        let rng = &mut rng(seed);
        match self {
            Kind::Heads(heads) => Filler::attention(words, heads, rng),
            Kind::Recurrent => Filler::recurrent(words, rng),
            Kind::Both => Filler::both(words, SEVERAL, rng),
        }
    }
}

/// How well hidden words are filled in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Filled {
    /// Trainable numbers.
    pub parameters: usize,
    /// Of the test's words, each hidden in turn: nats.
    pub loss: Spread,
    /// Share of right answers.
    pub right: Spread,
}

/// What the section quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heads {
    /// For training, validation and test.
    pub sentences: [usize; 3],
    /// Different words.
    pub words: usize,
    /// Share of the test's words that are the commonest word.
    pub commonest: Float,
    /// By [`Kind`].
    pub filled: BTreeMap<String, Filled>,
    /// The mean distance where all words have the same weight.
    pub uniform: Float,
    /// By seed, by head: how far it looks.
    pub distances: Vec<Vec<Distance>>,
    /// By relation: which head finds it.
    pub relations: BTreeMap<String, Followed>,
}

/// The number of trainings that [`measure`] does.
pub fn trainings(config: &Config) -> usize {
    Kind::ALL.len() * config.seeds
}

/// One trained model.
struct Run {
    parameters: usize,
    loss: Float,
    right: Float,
    looked: Option<Looked>,
}

/// Where the heads of one model look.
struct Looked {
    distances: Vec<Distance>,
    relations: Vec<Found>,
}

/// Trains and measures everything; `done` is called after each training.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn measure(config: &Config, done: impl Fn() + Sync) -> Result<Heads> {
    let parts = texts(config.sentences, &mut rng(config.stream(900)));
    let vocabulary = Vocabulary::new(parts[0].iter().map(|text| text.words.as_slice()), 1);
    let [training, validation, test] = [0, 1, 2].map(|part| encoded(&parts[part], &vocabulary));
    let run = |(kind, seed): &(Kind, u64)| -> Result<Run> {
        let (start, words) = (config.stream(1000 + seed), vocabulary.len());
        let (mut filler, untrained) = (kind.filler(words, start), kind.filler(words, start));
        train(&mut filler, &training, config.epochs, config.stream(1100 + seed))?;
        let (loss, right) = judge(&filler, &test);
        let looked = match (&filler.context, &untrained.context) {
            (Context::Attention(after), Context::Attention(before))
                if *kind == Kind::Heads(SEVERAL) =>
            {
                let looks = |reader| [&validation, &test].map(|part| glances(reader, part));
                let [after, before] = [after, before].map(looks);
                Some(Looked {
                    distances: distances([&before[1], &after[1]]),
                    relations: relations([&before, &after], [&parts[1], &parts[2]]),
                })
            }
            _ => None,
        };
        done();
        Ok(Run { parameters: filler.parameter_count(), loss, right, looked })
    };
    let jobs: Vec<(Kind, u64)> = Kind::ALL
        .into_iter()
        .flat_map(|kind| (0..config.seeds as u64).map(move |seed| (kind, seed)))
        .collect();
    let runs = jobs.par_iter().with_max_len(1).map(run).collect::<Result<Vec<Run>>>()?;
    let filled = |(kind, runs): (&Kind, &[Run])| {
        let filled = Filled {
            parameters: runs[0].parameters,
            loss: spread(runs.iter().map(|run| run.loss)),
            right: spread(runs.iter().map(|run| run.right)),
        };
        (kind.name(), filled)
    };
    let looked: Vec<&Looked> = runs.iter().filter_map(|run| run.looked.as_ref()).collect();
    Ok(Heads {
        sentences: config.sentences,
        words: vocabulary.len(),
        commonest: commonest(&training, &test),
        filled: Kind::ALL.iter().zip(runs.chunks(config.seeds)).map(filled).collect(),
        uniform: short(uniform(&test)),
        distances: looked.iter().map(|looked| looked.distances.clone()).collect(),
        relations: summary(
            &looked.iter().map(|looked| looked.relations.as_slice()).collect::<Vec<_>>(),
            [&parts[1], &parts[2]],
        ),
    })
}

/// How often the commonest word of the training is right in the test.
fn commonest(training: &[Vec<usize>], test: &[Vec<usize>]) -> Float {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    training.iter().flatten().for_each(|word| *counts.entry(*word).or_default() += 1);
    let common = counts.into_iter().max_by_key(|(_, count)| *count).map(|(word, _)| word);
    short(share(test.iter().flatten().map(|word| Some(*word) == common)))
}
