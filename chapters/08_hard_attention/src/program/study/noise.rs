//! How much gradients differ from batch to batch.

use super::snapshot::{Snapshot, moving_average};
use crate::program::config::Config;
use crate::program::training::{Kind, batch_loss, draw};
use crate::retrieval::{Method, Model};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Tape, rng};
use std::collections::BTreeMap;

/// How much the gradient with respect to W of one batch differs from the next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Noise {
    pub norm: Float,
    pub variance: Float,
    /// That variance over the variance of the enumerated gradient, which is the data's alone.
    pub over_enumerated: Float,
    /// Variance over squared norm: how many batches must be averaged until noise
    /// and gradient are equally long.
    pub batches: Float,
}

const BATCHES: usize = 2000;

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
        let (batch, uniforms) = draw(config, &world, rng);
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
