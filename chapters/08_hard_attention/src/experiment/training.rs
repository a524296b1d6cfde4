//! Soft, enumerated and sampled attention learn the same task.

use super::config::Config;
use super::statistics::{mean, round};
use crate::Baseline;
use crate::retrieval::{Episode, Method, Model};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Matrix, Optimizer, Tape, Var, elementwise, rng};
use std::collections::BTreeMap;
use workbench::study::Spread;

pub(super) const TESTED: usize = 50; // episodes, 800 queries
/// How often a learning curve is sampled.
pub const SAMPLES: usize = 40;

/// The methods that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The expected value.
    Soft,
    /// The expected loss, all places visited.
    Enumerated,
    /// One look, no baseline.
    NoBaseline,
    /// One look, moving-average baseline.
    Baseline,
    /// One look, moving-average baseline, entropy bonus.
    BaselineEntropy,
    /// One look, the gradient of soft attention.
    StraightThrough,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = {
        use Kind::*;
        [Soft, Enumerated, NoBaseline, Baseline, BaselineEntropy, StraightThrough]
    };

    /// Its name in results.
    pub fn name(self) -> &'static str {
        ["soft", "enumerated", "no_baseline", "baseline", "baseline_entropy", "straight_through"]
            [self as usize]
    }

    /// What the model is asked to do at a step, `baseline` being what past batches led to expect.
    pub fn method(self, baseline: Float, lambda: Float) -> Method {
        match self {
            Kind::Soft => Method::Soft,
            Kind::Enumerated => Method::Enumerated,
            Kind::NoBaseline => Method::Sampled { baseline: 0.0, entropy: 0.0 },
            Kind::Baseline => Method::Sampled { baseline, entropy: 0.0 },
            Kind::BaselineEntropy => Method::Sampled { baseline, entropy: lambda },
            Kind::StraightThrough => Method::StraightThrough,
        }
    }
}

/// Trains a model; `look` sees it before the first step and SAMPLES times after.
pub fn train(kind: Kind, config: &Config, seed: u64, mut look: impl FnMut(usize, &Model)) -> Model {
    let (world, rng) = (config.world(seed), &mut rng(config.stream(1000 + seed)));
    let mut model = Model::new(rng);
    let (mut adam, mut baseline) = (Adam::new(config.learning_rate), Baseline::default());
    look(0, &model);
    for step in 1..=config.steps {
        let batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
        let uniforms: Vec<Float> = (0..queries(&batch)).map(|_| rng.random()).collect();
        let method = kind.method(baseline.value(), config.lambda);
        let tape = Tape::new();
        let (plain, objective) = batch_loss(&model, &tape, &batch, method, &uniforms);
        baseline.update(plain.scalar());
        adam.step(&mut model, &objective.backward().into());
        if step * SAMPLES / config.steps > (step - 1) * SAMPLES / config.steps {
            look(step, &model);
        }
    }
    model
}

/// The mean loss of a batch, as it is and as it is differentiated.
pub fn batch_loss<'t>(
    model: &Model,
    tape: &'t Tape,
    batch: &[Episode],
    method: Method,
    uniforms: &[Float],
) -> (Var<'t>, Var<'t>) {
    let n = queries(batch);
    let of = |(episode, uniforms): (&Episode, &[Float])| {
        let loss = model.loss(tape, episode, method, uniforms);
        (loss.plain, loss.objective)
    };
    let losses = batch.iter().zip(uniforms.chunks(n / batch.len())).map(of);
    let sum = losses.reduce(|a, b| (a.0 + b.0, a.1 + b.1)).expect("a batch has episodes");
    (sum.0 * (1.0 / n as Float), sum.1 * (1.0 / n as Float))
}

/// How many queries a batch asks.
pub fn queries(batch: &[Episode]) -> usize {
    batch.iter().map(|episode| episode.answers.len()).sum()
}

/// How a model does on episodes it has not seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tested {
    /// Share of right answers from the expected value.
    pub mean: Float,
    /// From the most probable place.
    pub argmax: Float,
    /// From a place drawn at random.
    pub sampled: Float,
    /// How often the most probable place is the one that was asked for.
    pub found: Float,
    /// The same among queries that do not ask for place 0.
    pub found_elsewhere: Float,
    /// Mean entropy of the alignments, nats.
    pub entropy: Float,
}

/// Asks a model; where it looks at random, `seed` decides.
pub fn test(model: &Model, episodes: &[Episode], seed: u64) -> Tested {
    let (mut sum, mut asked, mut elsewhere) = (Tested::default(), 0.0, 0.0);
    let rng = &mut rng(seed);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let scores = model.scores(&tape, episode);
        sum.entropy += crate::entropy(scores).value().sum();
        let mut alpha = Matrix::clone(&scores.value());
        elementwise::softmax_columns(&mut alpha);
        let likeliest: Vec<usize> = alpha.column_iter().map(|column| column.imax()).collect();
        let right = |contexts: &Matrix| {
            let digits = model.reader.forward(tape.constant(contexts.clone())).value();
            let right = |(j, answer): (usize, &usize)| digits.column(j).imax() == *answer;
            episode.answers.iter().enumerate().filter(|pair| right(*pair)).count() as Float
        };
        sum.mean += right(&shared::product(&episode.values, &alpha));
        sum.argmax += right(&episode.values.select_columns(&likeliest));
        sum.sampled += right(&episode.values.select_columns(&crate::draw(&alpha, rng)));
        for (place, found) in episode.places.iter().zip(&likeliest) {
            let hit = if place == found { 1.0 } else { 0.0 };
            sum.found += hit;
            if *place != 0 {
                (sum.found_elsewhere, elsewhere) = (sum.found_elsewhere + hit, elsewhere + 1.0);
            }
        }
        asked += episode.answers.len() as Float;
    }
    Tested {
        mean: sum.mean / asked,
        argmax: sum.argmax / asked,
        sampled: sum.sampled / asked,
        found: sum.found / asked,
        found_elsewhere: sum.found_elsewhere / elsewhere,
        entropy: sum.entropy / asked,
    }
}

/// What a method learned, over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// Share of right answers by argmax, mean over the seeds.
    pub accuracy: Float,
    /// The worst seed.
    pub lowest: Float,
    /// The best seed.
    pub highest: Float,
    /// How many seeds ended above 0.9.
    pub solved: usize,
    /// Share of right answers from the expected value.
    pub mean: Float,
    /// Share of right answers from a place drawn at random.
    pub sampled: Float,
    /// How often the most probable place is the one that was asked for.
    pub found: Float,
    /// The same among queries that do not ask for place 0.
    pub found_elsewhere: Float,
    /// Mean entropy of the alignments, nats.
    pub entropy: Float,
    /// Steps after which the accuracy by argmax first exceeded 0.8, the median seed (the slower of
    /// two in the middle); absent when that one never did.
    pub steps_to_80: Option<usize>,
    /// Seed by seed.
    pub of_seeds: OfSeeds,
    /// (step, mean accuracy by argmax, share of the seeds in which it exceeds 0.8, mean entropy)
    pub curve: Vec<(usize, Float, Float, Float)>,
}

/// What is compared seed by seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfSeeds {
    /// Share of right answers by argmax.
    pub accuracy: Spread,
    /// Mean entropy of the alignments at the end, nats.
    pub entropy: Spread,
    /// Steps after which the accuracy first exceeded 0.8; all steps when it never did.
    pub steps_to_80: Spread,
}

/// One training run, tested as it goes.
pub fn one_run(kind: Kind, config: &Config, seed: u64) -> Vec<(usize, Tested)> {
    let (world, rng) = (config.world(seed), &mut rng(config.stream(2000 + seed)));
    let episodes: Vec<Episode> = (0..TESTED).map(|_| world.episode(rng)).collect();
    let mut curve = Vec::new();
    train(kind, config, seed, |step, model| {
        curve.push((step, test(model, &episodes, config.stream(3000 + seed))));
    });
    curve
}

/// Trains with every method and seed, on all cores. `done` is called after each training.
pub fn trainings(config: &Config, done: impl Fn() + Sync) -> BTreeMap<String, Learned> {
    let of = |kind: &Kind| (kind.name().to_string(), learn(*kind, config, &done));
    Kind::ALL.par_iter().map(of).collect()
}

fn learn(kind: Kind, config: &Config, done: &(impl Fn() + Sync)) -> Learned {
    summary(&over_seeds(config, done, |seed| one_run(kind, config, seed)))
}

/// What `run` finds with every seed, on all cores. `done` is called after each.
pub(super) fn over_seeds<R: Send>(
    config: &Config,
    done: &(impl Fn() + Sync),
    run: impl Fn(u64) -> R + Sync,
) -> Vec<R> {
    let one = |seed: u64| {
        let found = run(seed);
        done();
        found
    };
    (0..config.seeds as u64).into_par_iter().map(one).collect()
}

/// Each of several numbers over the seeds.
pub(super) fn spreads<const N: usize>(runs: &[[f64; N]]) -> [Spread; N] {
    std::array::from_fn(|i| Spread::of(runs.iter().map(|run| run[i])))
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
            steps_to_80: Spread::of(runs.iter().map(|run| {
                let steps = run[last].0;
                to_80(run).unwrap_or(steps) as f64
            })),
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

/// Weights λ that are tried besides 0 and the default, 0.1, with the names of their results.
pub const OTHER_WEIGHTS: [(&str, Float); 3] = [("0_01", 0.01), ("0_05", 0.05), ("0_2", 0.2)];

/// What the weight of the entropy bonus does, from none to too much.
pub fn bonuses(
    config: &Config,
    trained: &BTreeMap<String, Learned>,
    done: impl Fn() + Sync,
) -> BTreeMap<String, Learned> {
    let known = [("0", Kind::Baseline), ("default", Kind::BaselineEntropy)];
    let mut learned: BTreeMap<String, Learned> =
        known.map(|(name, kind)| (name.into(), trained[kind.name()].clone())).into();
    for (name, lambda) in OTHER_WEIGHTS {
        let config = Config { lambda, ..config.clone() };
        learned.insert(name.into(), learn(Kind::BaselineEntropy, &config, &done));
    }
    for learned in learned.values_mut() {
        learned.curve.clear(); // the last point is told, the way there is not
    }
    learned
}

/// What one who knows the world gets right: share of answers, and of places found.
pub fn ceiling(config: &Config) -> (Float, Float) {
    let (mut right, mut found, mut asked) = (0, 0, 0);
    for seed in 0..config.seeds as u64 {
        let (world, rng) = (config.world(seed), &mut rng(config.stream(2000 + seed)));
        for episode in (0..TESTED).map(|_| world.episode(rng)) {
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
        train(kind, &short, 0, |_, _| {});
        start.elapsed().as_secs_f64() * 1e3 / short.steps as f64
    };
    let of = |kind: Kind| {
        let quickest = (0..5).map(|_| once(kind)).fold(f64::INFINITY, f64::min);
        (kind.name().to_string(), round(quickest as Float))
    };
    Kind::ALL.map(of).into()
}
