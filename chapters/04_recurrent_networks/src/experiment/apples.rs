//! All trainings on the apple task.

use super::apple::{self, Reading};
use super::config::Config;
use super::statistics::short;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;

/// The apple task, over all seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Apple {
    /// By reading: accuracies, means over the seeds.
    pub accuracy: BTreeMap<String, apple::Accuracy>,
    /// By reading: the lowest accuracy at 苹果.
    pub lowest: BTreeMap<String, Float>,
    /// By reading: the highest accuracy at 苹果.
    pub highest: BTreeMap<String, Float>,
    /// By reading: trainable numbers.
    pub parameters: BTreeMap<String, usize>,
    /// Sentences for training, and for the test.
    pub sentences: [usize; 2],
    /// By reading, for each of [`apple::EXAMPLES`]: the probability of "fruit" at every word.
    pub examples: BTreeMap<String, Vec<Vec<Float>>>,
}

/// All trainings on the apple task.
pub(super) fn apples(config: &Config, done: &(impl Fn() + Sync)) -> Result<Apple> {
    let jobs: Vec<(Reading, u64)> = Reading::ALL
        .into_iter()
        .flat_map(|reading| (0..config.seeds as u64).map(move |seed| (reading, seed)))
        .collect();
    let run = |(reading, seed): &(Reading, u64)| {
        let trained = apple::learn(*reading, config, *seed)?;
        done();
        Ok(trained)
    };
    let runs = jobs.par_iter().with_max_len(1).map(run).collect::<Result<Vec<_>>>()?;
    let mut found = Apple {
        accuracy: BTreeMap::new(),
        lowest: BTreeMap::new(),
        highest: BTreeMap::new(),
        parameters: BTreeMap::new(),
        sentences: runs[0].sentences,
        examples: BTreeMap::new(),
    };
    for (reading, runs) in Reading::ALL.iter().zip(runs.chunks(config.seeds)) {
        let name = || reading.name().to_string();
        let apple: Vec<Float> = runs.iter().map(|run| run.accuracy.apple).collect();
        let examples =
            apple::EXAMPLES.map(|words| runs[0].fruit(words).into_iter().map(short).collect());
        found.accuracy.insert(name(), apple::Accuracy::mean(runs));
        found.lowest.insert(name(), apple.iter().copied().fold(1.0, Float::min));
        found.highest.insert(name(), apple.iter().copied().fold(0.0, Float::max));
        found.parameters.insert(name(), runs[0].parameters);
        found.examples.insert(name(), examples.into());
    }
    Ok(found)
}
