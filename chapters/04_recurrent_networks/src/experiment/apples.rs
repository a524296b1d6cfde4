//! All trainings on the apple task.

use super::apple::{Accuracy, EXAMPLES, Reading, Trained, learn};
use super::config::Config;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{mean, short, trainings, with_seeds};

/// By reading: means over the seeds, and the range at 苹果.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Apple {
    pub accuracy: BTreeMap<String, Accuracy>,
    pub lowest: BTreeMap<String, Float>,
    pub highest: BTreeMap<String, Float>,
    pub parameters: BTreeMap<String, usize>,
    /// For training, and for the test.
    pub sentences: [usize; 2],
    /// For each of [`EXAMPLES`]: the probability of "fruit" at every word.
    pub examples: BTreeMap<String, Vec<Vec<Float>>>,
}

pub(super) fn apples(config: &Config) -> Result<Apple> {
    let jobs = with_seeds(&Reading::ALL, config.seeds);
    let runs = trainings("the apple task", &jobs, |(reading, s)| learn(*reading, config, *s))?;
    let by_reading = || Reading::ALL.into_iter().zip(runs.chunks(config.seeds));
    fn named<'a, T>(
        readings: impl Iterator<Item = (Reading, &'a [Trained])>,
        of: impl Fn(&[Trained]) -> T,
    ) -> BTreeMap<String, T> {
        readings.map(|(reading, runs)| (reading.name().to_string(), of(runs))).collect()
    }
    let at_apple =
        |runs: &[Trained]| -> Vec<Float> { runs.iter().map(|run| run.accuracy.apple).collect() };
    Ok(Apple {
        accuracy: named(by_reading(), |runs| {
            let over = |of: fn(&Accuracy) -> Float| {
                mean(&runs.iter().map(|run| of(&run.accuracy)).collect::<Vec<_>>())
            };
            Accuracy { apple: over(|a| a.apple), last: over(|a| a.last), first: over(|a| a.first) }
        }),
        lowest: named(by_reading(), |runs| at_apple(runs).into_iter().fold(1.0, Float::min)),
        highest: named(by_reading(), |runs| at_apple(runs).into_iter().fold(0.0, Float::max)),
        parameters: named(by_reading(), |runs| runs[0].parameters),
        sentences: runs[0].sentences,
        examples: named(by_reading(), |runs| {
            EXAMPLES.map(|words| runs[0].fruit(words).into_iter().map(short).collect()).into()
        }),
    })
}
