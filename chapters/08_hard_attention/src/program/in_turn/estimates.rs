//! Many estimates of one gradient, against the exact one.

use super::training::{Estimator, means, train, uniforms, world};
use crate::program::config::Config;
use crate::program::statistics::Moments;
use crate::trail::{Asked, Episode, LOOKS, Method, Model, QUERIES};
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Rng, Tape, elementwise, rng};
use std::collections::BTreeMap;
use workbench::study::rounded;

/// Of the gradient with respect to W.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// Standard errors between their mean and the exact value, in the entry that is furthest off.
    pub largest_z: f64,
    /// Of the angle between their mean and the exact gradient.
    pub cosine: f64,
    /// Norm of their mean over the norm of the exact gradient.
    pub length: f64,
    /// Summed over the entries.
    pub variance: f64,
}

/// `config.draws` estimates of each kind, of one episode by one model after some steps of training.
pub(super) fn estimates(config: &Config, steps: usize) -> BTreeMap<String, Estimate> {
    let short = Config { steps, ..config.clone() };
    let model = train(Estimator::ToGo, (Asked::Always, 1), &short, 0, |_, _| {});
    let episode = world(config, 0).trails(&mut rng(config.stream(14_000)));
    let exact = gradient(&model, &episode, &Method::Exact, &[]);
    let of = |estimator: &Estimator| {
        let rng = &mut rng(config.stream(15_000));
        let method = estimator.method(&settled(&model, &episode, *estimator, rng));
        let mut drawn = Moments::new(exact.nrows(), exact.ncols());
        for _ in 0..config.draws {
            drawn.add(gradient(&model, &episode, &method, &uniforms(1, rng)[0]));
        }
        (estimator.name().to_owned(), against(&drawn, &exact))
    };
    let drawn: Vec<Estimator> = Estimator::ALL
        .into_iter()
        .filter(|estimator| !matches!(estimator, Estimator::Soft | Estimator::Exact))
        .collect();
    drawn.par_iter().map(of).collect()
}

fn against(drawn: &Moments, exact: &DMatrix<f64>) -> Estimate {
    let (mean, variance) = (drawn.mean(), drawn.variance());
    let z = |i: usize| ((mean[i] - exact[i]) / (variance[i] / drawn.draws).sqrt()).abs();
    Estimate {
        largest_z: rounded((0..exact.len()).map(z).fold(0.0, f64::max)),
        cosine: rounded(mean.dot(exact) / (mean.norm() * exact.norm())),
        length: rounded(mean.norm() / exact.norm()),
        variance: rounded(variance.sum()),
    }
}

/// With respect to W, of the mean over the queries.
fn gradient(model: &Model, episode: &Episode, method: &Method, uniforms: &[Float]) -> DMatrix<f64> {
    let tape = Tape::new();
    let loss = model.loss(&tape, episode, Asked::Always, method, uniforms).sum;
    let mean = loss * (1.0 / QUERIES as Float);
    mean.backward().of(&model.content[0].w.weight).expect("the loss depends on W").map(f64::from)
}

/// What a moving average settles at for this model: the mean over a hundred draws.
fn settled(model: &Model, episode: &Episode, estimator: Estimator, rng: &mut Rng) -> Vec<Float> {
    let method = estimator.method(&[0.0; LOOKS]);
    let mut all = Vec::new();
    for uniforms in uniforms(100, rng) {
        let tape = Tape::without_gradients();
        let loss = model.loss(&tape, episode, Asked::Always, &method, &uniforms);
        all.push(means(estimator.credit(), std::slice::from_ref(&loss)));
    }
    let of = |i: usize| elementwise::sum(&all.iter().map(|m| m[i]).collect::<Vec<_>>());
    (0..LOOKS).map(|i| of(i) / all.len() as Float).collect()
}
