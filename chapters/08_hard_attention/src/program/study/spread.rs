//! The variance of the estimate, known without drawing; and all along a training.

use crate::estimator::{exact, optimal_baseline, second_moment};
use crate::program::config::Config;
use crate::program::statistics::round;
use crate::program::training::{Change, Kind, is_sampled, train};
use crate::retrieval::{Episode, Model};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, elementwise, product, rng};

/// What is needed to know the variance of the estimate without drawing: for every query and place
/// the weight, the loss and the square length of `∂ ln α_z/∂W = q(k_z − k̄)ᵀ`, with `k̄ = Kα`.
pub(super) struct Spread {
    pub(super) alpha: Matrix,
    pub(super) losses: Matrix,
    lengths: Matrix,
    means: Float,
}

impl Spread {
    pub(super) fn new(model: &Model, episode: &Episode) -> Spread {
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
    pub(super) fn optimal(&self) -> Float {
        let Spread { alpha, losses, lengths, .. } = self;
        optimal_baseline(alpha.as_slice(), losses.as_slice(), lengths.as_slice())
    }

    pub(super) fn variance(&self, b: Float) -> Float {
        let Spread { alpha, losses, lengths, means } = self;
        let moment = second_moment(alpha.as_slice(), losses.as_slice(), lengths.as_slice(), b);
        (moment - means) / (alpha.ncols() as Float).powi(2)
    }

    /// The variance of each entry of W: the square of `q(k_z − k̄)ᵀ` entry by entry, where
    /// [`Spread::variance`] needs its square length only.
    pub(super) fn by_entry(&self, b: Float, episode: &Episode) -> DMatrix<f64> {
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

    pub(super) fn best_per_query(&self) -> Float {
        let n = self.alpha.ncols();
        let moment = |j: usize| {
            let columns = [&self.alpha, &self.losses, &self.lengths].map(|x| x.column(j));
            let [alpha, losses, lengths] = columns.each_ref().map(|column| column.as_slice());
            second_moment(alpha, losses, lengths, optimal_baseline(alpha, losses, lengths))
        };
        ((0..n).map(moment).sum::<Float>() - self.means) / (n as Float).powi(2)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stage {
    pub step: usize,
    pub loss: Float,
    pub none: Float,
    pub mean: Float,
    pub optimal: Float,
    pub per_query: Float,
}

/// Follows one training, and looks at the same ten episodes again and again.
pub fn stages(config: &Config) -> Vec<Stage> {
    let (world, rng) = (config.world(0), &mut rng(config.stream(9000)));
    let episodes: Vec<Episode> = (0..10).map(|_| world.episode(rng)).collect();
    let mut stages = Vec::new();
    train(Kind::BaselineEntropy, Change::None, config, 0, |step, model| {
        if !is_sampled(step, config) {
            return;
        }
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
