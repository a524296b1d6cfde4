//! What padding would cost.

use super::apple;
use super::config::Config;
use crate::steps::Steps;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use shared::{Float, Rng, rng};
use std::collections::BTreeMap;
use workbench::study::short;

pub const BATCH: usize = 64;
const SEQUENCES: usize = 64 * BATCH;

/// The share of columns that are padding when every sequence of a batch is made as long as the
/// longest: the share of a layer's arithmetic that packing saves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Padding {
    pub random: Float,
    /// Batches of sequences that are about equally long: sorted by length, then cut.
    pub sorted: Float,
}

/// Padding for the sentences of the apple task, and for lengths from 3 to 30, all equally frequent.
pub fn measure(config: &Config) -> BTreeMap<String, Padding> {
    let rng = &mut rng(config.stream(700));
    let [sentences, _] = apple::corpus(rng);
    let apple: Vec<usize> = sentences.iter().map(|sentence| sentence.words.len()).collect();
    let uniform: Vec<usize> = (0..SEQUENCES).map(|_| rng.random_range(3..=30)).collect();
    [("apple", padding(apple, rng)), ("uniform", padding(uniform, rng))]
        .map(|(name, padding)| (name.to_string(), padding))
        .into()
}

fn padding(mut lengths: Vec<usize>, rng: &mut Rng) -> Padding {
    lengths.shuffle(rng);
    let random = share(&lengths);
    lengths.sort_unstable();
    Padding { random, sorted: share(&lengths) }
}

fn share(lengths: &[usize]) -> Float {
    let (mut padded, mut columns) = (0.0, 0.0);
    for batch in lengths.chunks(BATCH) {
        let mut batch = batch.to_vec();
        batch.sort_unstable_by(|a, b| b.cmp(a));
        let steps = Steps::new(&batch);
        let all = (steps.len() * steps.sequences()) as f64;
        padded += steps.padding() * all;
        columns += all;
    }
    short((padded / columns) as Float)
}
