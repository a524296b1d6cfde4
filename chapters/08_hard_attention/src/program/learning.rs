//! What each method learns, over the seeds.

use super::config::Config;
use super::statistics::{mean, round};
use super::training::{Change, Kind, Tested, fresh, is_sampled, test, train};
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{self, Spread, with_seeds};

/// At the end of training, on new questions, means over the seeds: as in [`Tested`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// By argmax; with the worst seed and the best.
    pub accuracy: Float,
    pub lowest: Float,
    pub highest: Float,
    /// How many seeds ended above 0.9.
    pub solved: usize,
    pub mean: Float,
    pub sampled: Float,
    pub found: Float,
    pub found_elsewhere: Float,
    pub entropy: Float,
    /// Steps after which the accuracy by argmax first exceeded 0.8, the median seed (the slower of
    /// two in the middle); absent when that one never did.
    pub steps_to_80: Option<usize>,
    pub of_seeds: OfSeeds,
    /// (step, mean accuracy by argmax, share of the seeds in which it exceeds 0.8, mean entropy)
    pub curve: Vec<(usize, Float, Float, Float)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfSeeds {
    pub accuracy: Spread,
    /// Mean entropy of the alignments at the end, nats.
    pub entropy: Spread,
    /// Steps after which the accuracy first exceeded 0.8; all steps when it never did.
    pub steps_to_80: Spread,
}

/// One training run, tested as it goes.
pub fn one_run(kind: Kind, config: &Config, seed: u64) -> Vec<(usize, Tested)> {
    let (episodes, mut curve) = (fresh(config, seed), Vec::new());
    train(kind, Change::None, config, seed, |step, model| {
        if is_sampled(step, config) {
            curve.push((step, test(model, &episodes, config.stream(3000 + seed))));
        }
    });
    curve
}

/// Weights λ that are tried besides 0 and the default, 0.1, with the names of their results.
const OTHER_WEIGHTS: [(&str, Float); 3] = [("0_01", 0.01), ("0_05", 0.05), ("0_2", 0.2)];

/// What is learned by method, and with baseline and bonus by the bonus's weight.
pub fn trainings(config: &Config) -> Result<[BTreeMap<String, Learned>; 2]> {
    let with = |lambda: Float| Config { lambda, ..config.clone() };
    let methods = Kind::ALL.map(|kind| (kind.name(), kind, config.lambda));
    let weights = OTHER_WEIGHTS.map(|(name, lambda)| (name, Kind::BaselineEntropy, lambda));
    let jobs: Vec<_> = methods.into_iter().chain(weights).collect();
    let seeded = with_seeds(&jobs, config.seeds);
    let runs = study::trainings("methods and weights", &seeded, |((_, kind, lambda), seed)| {
        Ok(one_run(*kind, &with(*lambda), *seed))
    })?;
    let learned = jobs.iter().zip(runs.chunks(config.seeds));
    let mut learned = learned.map(|((name, ..), runs)| (name.to_string(), summary(runs)));
    let trained: BTreeMap<String, Learned> = learned.by_ref().take(methods.len()).collect();
    let mut bonus: BTreeMap<String, Learned> = learned.collect();
    for (name, kind) in [("0", Kind::Baseline), ("default", Kind::BaselineEntropy)] {
        bonus.insert(name.into(), trained[kind.name()].clone());
    }
    for learned in bonus.values_mut() {
        learned.curve.clear(); // the last point is kept, the way there is not
    }
    Ok([trained, bonus])
}

fn summary(runs: &[Vec<(usize, Tested)>]) -> Learned {
    let at = |point: usize, of: fn(&Tested) -> Float| -> Vec<Float> {
        runs.iter().map(|run| of(&run[point].1)).collect()
    };
    let curve: Vec<_> = (0..runs[0].len())
        .map(|point| {
            let accuracy = at(point, |tested| tested.argmax);
            let solved = accuracy.iter().filter(|a| **a > 0.8).count() as Float;
            let entropy = mean(&at(point, |tested| tested.entropy));
            let step = runs[0][point].0;
            (step, round(mean(&accuracy)), round(solved / runs.len() as Float), round(entropy))
        })
        .collect();
    let last = runs[0].len() - 1;
    let end = |of: fn(&Tested) -> Float| round(mean(&at(last, of)));
    let accuracy = at(last, |tested| tested.argmax);
    Learned {
        accuracy: round(mean(&accuracy)),
        lowest: round(accuracy.iter().copied().fold(Float::INFINITY, Float::min)),
        highest: round(accuracy.iter().copied().fold(Float::NEG_INFINITY, Float::max)),
        solved: accuracy.iter().filter(|a| **a > 0.9).count(),
        mean: end(|tested| tested.mean),
        sampled: end(|tested| tested.sampled),
        found: end(|tested| tested.found),
        found_elsewhere: end(|tested| tested.found_elsewhere),
        entropy: end(|tested| tested.entropy),
        steps_to_80: median_steps(runs),
        of_seeds: OfSeeds {
            accuracy: Spread::of(accuracy.iter().map(|a| f64::from(*a))),
            entropy: Spread::of(runs.iter().map(|run| f64::from(run[last].1.entropy))),
            steps_to_80: Spread::of(
                runs.iter().map(|run| to_80(run).unwrap_or(run[last].0) as f64),
            ),
        },
        curve,
    }
}

/// Steps after which the accuracy first exceeded 0.8.
fn to_80(run: &[(usize, Tested)]) -> Option<usize> {
    run.iter().find(|point| point.1.argmax > 0.8).map(|point| point.0)
}

fn median_steps(runs: &[Vec<(usize, Tested)>]) -> Option<usize> {
    let mut steps: Vec<usize> = runs.iter().map(|run| to_80(run).unwrap_or(usize::MAX)).collect();
    steps.sort_unstable();
    Some(steps[steps.len() / 2]).filter(|steps| *steps < usize::MAX)
}

/// What one who knows the world gets right: share of answers, and of places found.
pub fn ceiling(config: &Config) -> (Float, Float) {
    let (mut right, mut found, mut asked) = (0, 0, 0);
    for seed in 0..config.seeds as u64 {
        let world = config.world(seed);
        for episode in fresh(config, seed) {
            let (places, digits) =
                (world.find(&episode.queries, &episode.keys), world.read(&episode.values));
            for ((place, asked), answer) in places.iter().zip(&episode.places).zip(&episode.answers)
            {
                found += usize::from(place == asked);
                right += usize::from(digits[*place] == *answer);
            }
            asked += places.len();
        }
    }
    (round(right as Float / asked as Float), round(found as Float / asked as Float))
}

/// Milliseconds a training step takes on one thread, by method: the quickest of five times a hundred
/// steps, as other programs may use the machine.
pub fn times(config: &Config) -> BTreeMap<String, Float> {
    let short = Config { steps: 100, ..config.clone() };
    let once = |kind: Kind| {
        let start = std::time::Instant::now();
        train(kind, Change::None, &short, 0, |_, _| {});
        start.elapsed().as_secs_f64() * 1e3 / short.steps as f64
    };
    let of = |kind: Kind| {
        let quickest = (0..5).map(|_| once(kind)).fold(f64::INFINITY, f64::min);
        (kind.name().to_string(), round(quickest as Float))
    };
    Kind::ALL.map(of).into()
}
