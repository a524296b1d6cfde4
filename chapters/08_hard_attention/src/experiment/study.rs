//! The estimator under the magnifying glass: one fixed model, many draws.

use super::training::{Kind, batch_loss, queries, train};
use super::{Config, round};
use crate::Baseline;
use crate::estimator::{estimate, exact, lengths, optimal_baseline, second_moment, variance};
use crate::retrieval::{Episode, Method, Model};
use nalgebra::DMatrix;
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, elementwise, product, rng};
use std::collections::BTreeMap;

// ---------------------------------------------------------------------------------------------
// Three labels, worked by hand
// ---------------------------------------------------------------------------------------------

/// The stall of chapter 3: only one price label may be turned over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// α for melon, radish, apple.
    pub alpha: Vec<Float>,
    /// Squared difference of each price from the true one, 4.
    pub losses: Vec<Float>,
    /// J
    pub expected: Float,
    /// ∂J/∂scores
    pub exact: Vec<Float>,
    /// What turning each label over makes of it, b = 0.
    pub bare: Vec<Vec<Float>>,
    /// The same with b = J.
    pub with_baseline: Vec<Vec<Float>>,
    /// Variance with b = 0.
    pub bare_variance: Float,
    /// Variance with b = J.
    pub baseline_variance: Float,
    /// b*
    pub optimal: Float,
    /// Variance with b*.
    pub optimal_variance: Float,
}

/// Weights of chapter 3's example; what was wished for costs 4.
pub fn example() -> Example {
    let alpha = scoring_functions::experiment::example().weights.to_vec();
    let losses: Vec<Float> = [4.0, 1.0, 3.0].map(|price: Float| (price - 4.0).powi(2)).to_vec();
    let expected = elementwise::dot(&alpha, &losses);
    let draws = |baseline: Float| -> Vec<Vec<Float>> {
        let of = |s: usize| estimate(&alpha, s, losses[s], baseline).as_slice().to_vec();
        (0..alpha.len()).map(of).collect()
    };
    let optimal = optimal_baseline(&alpha, &losses, &lengths(&alpha));
    Example {
        exact: exact(&alpha, &losses).as_slice().to_vec(),
        bare: draws(0.0),
        with_baseline: draws(expected),
        bare_variance: variance(&alpha, &losses, 0.0),
        baseline_variance: variance(&alpha, &losses, expected),
        optimal_variance: variance(&alpha, &losses, optimal),
        optimal,
        expected,
        losses,
        alpha,
    }
}

// ---------------------------------------------------------------------------------------------
// Estimates against the enumerated gradient
// ---------------------------------------------------------------------------------------------

/// A model, and one episode.
pub struct Snapshot {
    /// In the midst of training or after it.
    pub model: Model,
    /// Its questions.
    pub episode: Episode,
}

/// Steps of training before each of the two closer looks: while the model knows nothing yet, and
/// soon after it has found out.
pub const STEPS: [(&str, usize); 2] = [("early", 300), ("late", 600)];

/// One training, by looks with baseline and entropy bonus, at the two steps.
pub fn snapshots(config: &Config) -> BTreeMap<String, Snapshot> {
    STEPS.map(|(name, steps)| (name.to_string(), snapshot(config, steps))).into()
}

/// The model after some steps of it, and an episode.
pub fn snapshot(config: &Config, steps: usize) -> Snapshot {
    let short = Config { steps, ..config.clone() };
    let model = train(Kind::BaselineEntropy, &short, 0, |_, _| {});
    Snapshot { model, episode: config.world(0).episode(&mut rng(config.stream(4000))) }
}

/// Estimates of the gradient with respect to W, compared with the enumerated one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Study {
    /// Norm of the enumerated gradient.
    pub norm: Float,
    /// By `none`, `moving`, `optimal`.
    pub baselines: BTreeMap<String, Estimates>,
    /// Variance without baseline over variance with the moving average.
    pub moving_factor: Float,
    /// The same with the optimal constant.
    pub optimal_factor: Float,
    /// Variance with the best baseline for each query.
    pub best_per_query: Float,
    /// The biased estimate.
    pub straight_through: Estimates,
    /// (b, variance by enumeration)
    pub parabola: Vec<(Float, Float)>,
    /// The entry of W with the largest gradient: its enumerated value.
    pub entry: Float,
}

/// Many estimates with one baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimates {
    /// b
    pub baseline: Float,
    /// Variance of the estimate, summed over the entries, by enumeration (0 where it is unknown).
    pub variance: Float,
    /// The same over the draws.
    pub measured: Float,
    /// The largest distance of a mean from its enumerated value, in standard errors.
    pub largest_z: Float,
    /// The mean square of those distances: near 1 for an unbiased estimate.
    pub mean_square_z: Float,
    /// Cosine of the angle between mean and enumerated gradient.
    pub cosine: Float,
    /// Standard deviation of one estimate of the entry that is drawn.
    pub deviation: Float,
    /// (draws, running mean of that entry)
    pub running: Vec<(usize, Float)>,
}

impl Study {
    /// Drops the running means.
    pub fn forget_running(&mut self) {
        self.baselines.values_mut().for_each(|estimates| estimates.running.clear());
        self.straight_through.running.clear();
    }
}

/// The variance of one estimate at one step of training, by enumeration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// Training steps before.
    pub step: usize,
    /// The mean expected loss: where a moving average settles.
    pub loss: Float,
    /// Variance without baseline.
    pub none: Float,
    /// With that mean as baseline.
    pub mean: Float,
    /// With the optimal constant.
    pub optimal: Float,
    /// With the best baseline for each query.
    pub per_query: Float,
}

/// Draws `config.draws` estimates with each baseline, from the same random numbers.
pub fn study(config: &Config, snapshot: &Snapshot) -> Study {
    let Snapshot { model, episode } = snapshot;
    let goal = gradient(model, episode, Method::Enumerated, &[]);
    let spread = Spread::new(model, episode);
    let moving = moving_average(config, model);
    let baselines = [("none", 0.0), ("moving", moving), ("optimal", spread.optimal())];
    let of = |(name, baseline): &(&str, Float)| {
        let method = Method::Sampled { baseline: *baseline, entropy: 0.0 };
        let errors = Some(spread.by_entry(*baseline, episode));
        let mut estimates = estimates(config, snapshot, method, &goal, errors);
        (estimates.baseline, estimates.variance) = (*baseline, spread.variance(*baseline));
        (name.to_string(), estimates)
    };
    let end = 2.0 * spread.optimal();
    let factor = |b: Float| spread.variance(0.0) / spread.variance(b);
    Study {
        moving_factor: factor(moving),
        optimal_factor: factor(spread.optimal()),
        norm: goal.norm(),
        baselines: baselines.par_iter().map(of).collect(),
        best_per_query: spread.best_per_query(),
        straight_through: estimates(config, snapshot, Method::StraightThrough, &goal, None),
        parabola: (0..=20)
            .map(|i| end * i as Float / 20.0)
            .map(|b| (round(b), round(spread.variance(b))))
            .collect(),
        entry: goal[largest(&goal)],
    }
}

/// Follows one training, and looks at the same ten episodes again and again.
pub fn stages(config: &Config) -> Vec<Stage> {
    let (world, rng) = (config.world(0), &mut rng(config.stream(9000)));
    let episodes: Vec<Episode> = (0..10).map(|_| world.episode(rng)).collect();
    let mut stages = Vec::new();
    train(Kind::BaselineEntropy, config, 0, |step, model| {
        let spreads: Vec<Spread> = episodes.iter().map(|e| Spread::new(model, e)).collect();
        let mean = |of: &dyn Fn(&Spread) -> Float| {
            round(spreads.iter().map(of).sum::<Float>() / spreads.len() as Float)
        };
        let loss = mean(&|s| s.alpha.dot(&s.losses) / s.alpha.ncols() as Float);
        stages.push(Stage {
            step,
            loss,
            none: mean(&|s| s.variance(0.0)),
            mean: mean(&|s| s.variance(loss)),
            optimal: mean(&|s| s.variance(s.optimal())),
            per_query: mean(&|s| s.best_per_query()),
        });
    });
    stages
}

/// The gradient with respect to W, a mean over the queries of one episode.
pub fn gradient(model: &Model, episode: &Episode, method: Method, uniforms: &[Float]) -> Matrix {
    let tape = Tape::new();
    let n = episode.answers.len() as Float;
    let loss = model.loss(&tape, episode, method, uniforms).objective * (1.0 / n);
    loss.backward().of(&model.content.w.weight).expect("the loss depends on W").clone()
}

/// `exact`: the variance of each entry, where it is known; else the draws must tell.
fn estimates(
    config: &Config,
    snapshot: &Snapshot,
    method: Method,
    goal: &Matrix,
    exact: Option<DMatrix<f64>>,
) -> Estimates {
    let Snapshot { model, episode } = snapshot;
    let (n, entry) = (episode.answers.len(), largest(goal));
    let rng = &mut rng(config.stream(5000));
    let (mut sum, mut squares) = (goal.map(|_| 0.0_f64), goal.map(|_| 0.0_f64));
    let mut running = Vec::new();
    for draw in 1..=config.draws {
        let uniforms: Vec<Float> = (0..n).map(|_| rng.random()).collect();
        let estimate = gradient(model, episode, method, &uniforms).map(f64::from);
        squares += estimate.component_mul(&estimate);
        sum += estimate;
        if on_curve(draw) {
            running.push((draw, round((sum[entry] / draw as f64) as Float)));
        }
    }
    let draws = config.draws as f64;
    let mean = sum / draws;
    let variance = (squares / draws - mean.component_mul(&mean)) * (draws / (draws - 1.0));
    let known = exact.as_ref().unwrap_or(&variance);
    let distance = |i: usize| (mean[i] - f64::from(goal[i])) / (known[i] / draws).sqrt();
    let z: Vec<f64> = (0..goal.len()).map(distance).collect();
    let goal = goal.map(f64::from);
    Estimates {
        baseline: 0.0,
        variance: 0.0,
        measured: variance.sum() as Float,
        largest_z: z.iter().fold(0.0_f64, |a, z| a.max(z.abs())) as Float,
        mean_square_z: (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64) as Float,
        cosine: (mean.dot(&goal) / (mean.norm() * goal.norm())) as Float,
        deviation: known[entry].sqrt() as Float,
        running,
    }
}

/// The place of the entry furthest from zero.
fn largest(x: &Matrix) -> usize {
    nalgebra::DVector::from_column_slice(x.as_slice()).iamax()
}

/// About ten points a decade.
fn on_curve(draw: usize) -> bool {
    let at = |draw: usize| (10.0 * (draw as f64).log10()) as usize;
    draw >= 10 && (draw == 10 || at(draw) > at(draw - 1))
}

/// What is needed to know the variance of the estimate without drawing: for every query and place
/// the weight, the loss and the square length of `∂ ln α_s/∂W = q(k_s − k̄)ᵀ`, with `k̄ = Kα`.
struct Spread {
    alpha: Matrix,
    losses: Matrix,
    lengths: Matrix,
    /// Square length of each query's expected estimate, summed.
    means: Float,
}

impl Spread {
    fn new(model: &Model, episode: &Episode) -> Spread {
        let Episode { keys, queries, values, answers, .. } = episode;
        let tape = Tape::without_gradients();
        let mut alpha = Matrix::clone(&model.scores(&tape, episode).value()); // (m, n)
        elementwise::softmax_columns(&mut alpha);
        let (m, n) = alpha.shape();
        let losses = model.losses(tape.constant(values.clone()), answers).value();
        let losses = Matrix::from_column_slice(m, n, losses.as_slice());
        let (centres, norms) = (product(keys, &alpha), queries.map(|q| q * q).row_sum());
        let lengths = Matrix::from_fn(m, n, |i, j| {
            (keys.column(i) - centres.column(j)).norm_squared() * norms[j]
        });
        let mean_of = |j: usize| {
            let ds = exact(alpha.column(j).as_slice(), losses.column(j).as_slice());
            product(keys, &ds).norm_squared() * norms[j] // the mean estimate is q(K ds)ᵀ
        };
        let means = (0..n).map(mean_of).sum();
        Spread { alpha, losses, lengths, means }
    }

    /// The constant with the smallest variance; queries are drawn independently, so theirs add up.
    fn optimal(&self) -> Float {
        let Spread { alpha, losses, lengths, .. } = self;
        optimal_baseline(alpha.as_slice(), losses.as_slice(), lengths.as_slice())
    }

    /// Of the mean over the queries, summed over the entries of W.
    fn variance(&self, b: Float) -> Float {
        let Spread { alpha, losses, lengths, means } = self;
        let moment = second_moment(alpha.as_slice(), losses.as_slice(), lengths.as_slice(), b);
        (moment - means) / (alpha.ncols() as Float).powi(2)
    }

    /// The variance of each entry of W: the square of `q(k_s − k̄)ᵀ` entry by entry, where
    /// [`Spread::variance`] needs its square length only.
    fn by_entry(&self, b: Float, episode: &Episode) -> DMatrix<f64> {
        let Episode { keys, queries, .. } = episode;
        let n = queries.ncols();
        let mut variance = DMatrix::<f64>::zeros(queries.nrows(), keys.nrows());
        for j in 0..n {
            let (alpha, losses) = (self.alpha.column(j), self.losses.column(j));
            let centre = keys * alpha;
            let (mut mean, mut squares) = (centre.map(|_| 0.0_f64), centre.map(|_| 0.0_f64));
            for i in 0..alpha.len() {
                let pull = (keys.column(i) - &centre).map(|k| f64::from(k * (losses[i] - b)));
                squares += pull.map(|x| x * x) * f64::from(alpha[i]);
                mean += pull * f64::from(alpha[i]);
            }
            let spread = squares - mean.map(|x| x * x);
            variance += queries.column(j).map(|q| f64::from(q * q)) * spread.transpose();
        }
        variance / (n * n) as f64
    }

    /// The same when every query has a baseline of its own.
    fn best_per_query(&self) -> Float {
        let n = self.alpha.ncols();
        let moment = |j: usize| {
            let columns = [&self.alpha, &self.losses, &self.lengths].map(|x| x.column(j));
            let [alpha, losses, lengths] = columns.each_ref().map(|column| column.as_slice());
            second_moment(alpha, losses, lengths, optimal_baseline(alpha, losses, lengths))
        };
        ((0..n).map(moment).sum::<Float>() - self.means) / (n as Float).powi(2)
    }
}

/// What the moving average settles at for a model that does not change.
fn moving_average(config: &Config, model: &Model) -> Float {
    let (world, rng) = (config.world(0), &mut rng(config.stream(6000)));
    let mut baseline = Baseline::default();
    for _ in 0..100 {
        let batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
        let uniforms: Vec<Float> = (0..queries(&batch)).map(|_| rng.random()).collect();
        let method = Method::Sampled { baseline: baseline.value(), entropy: 0.0 };
        let tape = Tape::without_gradients();
        baseline.update(batch_loss(model, &tape, &batch, method, &uniforms).0.scalar());
    }
    baseline.value()
}

// ---------------------------------------------------------------------------------------------
// From batch to batch
// ---------------------------------------------------------------------------------------------

/// How much the gradient with respect to W of one batch differs from the next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Noise {
    /// Norm of the mean gradient.
    pub norm: Float,
    /// Variance over the batches, summed over the entries.
    pub variance: Float,
    /// That variance over the variance of the enumerated gradient, which is the data's alone.
    pub over_enumerated: Float,
    /// Variance over squared norm: how many batches must be averaged until noise
    /// and gradient are equally long.
    pub batches: Float,
}

const BATCHES: usize = 2000;

/// Measures it for the same model and the same batches, by method.
pub fn noise(config: &Config, snapshot: &Snapshot) -> BTreeMap<String, Noise> {
    let moving = moving_average(config, &snapshot.model);
    let kinds =
        [Kind::Soft, Kind::Enumerated, Kind::NoBaseline, Kind::Baseline, Kind::StraightThrough];
    let of = |kind: &Kind| {
        let method = kind.method(moving, config.lambda);
        (kind.name().to_string(), noise_of(config, &snapshot.model, method))
    };
    let mut noise: BTreeMap<String, Noise> = kinds.par_iter().map(of).collect();
    let norm = noise[Kind::Enumerated.name()].norm; // of what the looks estimate, too
    for kind in [Kind::NoBaseline, Kind::Baseline] {
        let at = noise.get_mut(kind.name()).expect("it was measured");
        (at.norm, at.batches) = (norm, at.variance / (norm * norm));
    }
    let of_data = noise[Kind::Enumerated.name()].variance;
    noise.values_mut().for_each(|at| at.over_enumerated = at.variance / of_data);
    noise
}

fn noise_of(config: &Config, model: &Model, method: Method) -> Noise {
    let (world, rng) = (config.world(0), &mut rng(config.stream(7000)));
    let w = &model.content.w.weight;
    let (mut sum, mut squares) = (w.value().map(|_| 0.0_f64), 0.0);
    for _ in 0..BATCHES {
        let batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
        let uniforms: Vec<Float> = (0..queries(&batch)).map(|_| rng.random()).collect();
        let tape = Tape::new();
        let gradients = batch_loss(model, &tape, &batch, method, &uniforms).1.backward();
        let gradient = gradients.of(w).expect("the loss depends on W").map(f64::from);
        squares += gradient.norm_squared();
        sum += gradient;
    }
    let batches = BATCHES as f64;
    let mean = (sum / batches).norm_squared();
    let variance = (squares / batches - mean) * (batches / (batches - 1.0));
    let signal = mean - variance / batches; // the mean of noisy vectors is too long
    Noise {
        norm: signal.sqrt() as Float,
        variance: variance as Float,
        over_enumerated: 1.0,
        batches: (variance / signal) as Float,
    }
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
