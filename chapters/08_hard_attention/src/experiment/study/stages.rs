//! The variance of the estimate all along a training.

use super::spread::Spread;
use crate::experiment::config::Config;
use crate::experiment::statistics::round;
use crate::experiment::training::{Kind, train};
use crate::retrieval::Episode;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};

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
