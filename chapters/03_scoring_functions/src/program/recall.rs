//! Every score in every setting, over the seeds, and what nobody can do better.

use super::config::Config;
use super::training::{TESTED, learn, test, world};
use super::world::{Episode, PAIRS, Setting};
use crate::kinds::Kind;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, product, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{mean, trainings, with_seeds};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    pub parameters: usize,
    /// Accuracy after training: mean over the seeds, the worst seed and the best.
    pub accuracy: Float,
    pub lowest: Float,
    pub highest: Float,
    /// Mean over the seeds of −ln(weight on the right value), in nats.
    pub loss: Float,
    /// Steps after which the mean accuracy first exceeded 0.9; absent when it never did.
    pub steps_to_90: Option<usize>,
    /// (step, mean, lowest, highest) accuracy.
    pub curve: Vec<(usize, Float, Float, Float)>,
}

struct Run {
    parameters: usize,
    accuracy: Vec<Float>,
    loss: Float,
}

fn one_run(setting: Setting, kind: Kind, config: &Config, seed: u64) -> Option<Run> {
    let (mut score, accuracy) = learn(setting, kind, config, seed)?;
    let (world, rng) = (world(setting, config, seed), &mut rng(config.stream(4000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.episode(rng)).collect();
    let loss = test(&score, &fresh).1; // on episodes that no curve has looked at
    Some(Run { parameters: score.parameter_count(), accuracy, loss })
}

pub fn recall(config: &Config) -> Result<BTreeMap<String, BTreeMap<String, Learned>>> {
    let cells = Setting::ALL.into_iter().flat_map(|s| Kind::ALL.map(|kind| (s, kind)));
    let cells: Vec<(Setting, Kind)> = cells.collect();
    let jobs = with_seeds(&cells, config.seeds);
    let runs = trainings("eight scores, four worlds", &jobs, |((setting, kind), seed)| {
        Ok(one_run(*setting, *kind, config, *seed))
    })?;
    let mut results: BTreeMap<String, BTreeMap<String, Learned>> = BTreeMap::new();
    for ((setting, kind), runs) in cells.iter().zip(runs.chunks(config.seeds)) {
        let runs: Vec<&Run> = runs.iter().flatten().collect();
        if !runs.is_empty() {
            let of_setting = results.entry(setting.name().into()).or_default();
            of_setting.insert(kind.name().into(), summary(&runs, config.steps));
        }
    }
    Ok(results)
}

fn summary(runs: &[&Run], steps: usize) -> Learned {
    let points = runs[0].accuracy.len();
    let curve: Vec<(usize, Float, Float, Float)> = (0..points)
        .map(|i| {
            let at: Vec<Float> = runs.iter().map(|run| run.accuracy[i]).collect();
            let low = at.iter().copied().fold(Float::INFINITY, Float::min);
            let high = at.iter().copied().fold(Float::NEG_INFINITY, Float::max);
            (i * steps / (points - 1), mean(&at), low, high)
        })
        .collect();
    let (_, accuracy, lowest, highest) = curve[points - 1];
    Learned {
        parameters: runs[0].parameters,
        accuracy,
        lowest,
        highest,
        loss: mean(&runs.iter().map(|run| run.loss).collect::<Vec<_>>()),
        steps_to_90: curve.iter().find(|point| point.1 > 0.9).map(|point| point.0),
        curve,
    }
}

/// The share of queries for which the nearest key, seen through the true map, is the right one: no
/// score can know more.
pub(super) fn ceiling(setting: Setting, config: &Config) -> Float {
    let mut right = 0;
    for seed in 0..config.seeds as u64 {
        let (world, rng) = (world(setting, config, seed), &mut rng(config.stream(3000 + seed)));
        for Episode { keys, queries, slots, .. } in (0..TESTED).map(|_| world.episode(rng)) {
            let seen = match setting {
                Setting::Position => world.map.clone(),
                _ => product(&world.map, &keys),
            };
            for (query, slot) in queries.column_iter().zip(&slots) {
                let distance = |i: usize| (query - seen.column(i)).norm_squared();
                let nearest = (0..PAIRS).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
                right += usize::from(nearest == Some(*slot));
            }
        }
    }
    right as Float / (config.seeds * TESTED * PAIRS) as Float
}
