//! Gradients that explode, and what clipping does about them.

use super::adding::{Adder, BATCH, HIDDEN, batch, training_seeds};
use super::config::Config;
use super::flow::with_radius;
use crate::layers::Rnn;
use serde::{Deserialize, Serialize};
use shared::{
    Float, Linear, Optimizer, ParamGradients, Sgd, Tape, loss_and_gradients, rng, squared_error,
};
use workbench::study::{mean, short};

/// The spectral radius of U at the start.
pub const RADIUS: Float = 1.5;
const LENGTH: usize = 50;
const STEPS: usize = 300;
const RATE: Float = 0.03;
pub const CLIP: Float = 1.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace {
    pub norms: Vec<Float>,
    pub largest: Float,
    pub worst: Float,
    pub last: Float,
    /// The step at which a number was no number any more, if that happened.
    pub broken: Option<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clipping {
    pub without: Trace,
    pub with: Trace,
}

pub fn measure(config: &Config) -> Clipping {
    Clipping { without: trace(config, None), with: trace(config, Some(CLIP)) }
}

fn trace(config: &Config, clip: Option<Float>) -> Trace {
    let seed = config.stream(600);
    let readout = Linear::new(HIDDEN, 1, &mut rng(seed));
    let mut model = Adder { layer: with_radius(RADIUS, seed), readout };
    let (mut norms, mut errors, rng) = (Vec::new(), Vec::new(), &mut rng(seed));
    let mut broken = None;
    for step in 0..STEPS {
        let (error, mut gradients) = error_and_gradients(&model, &training_seeds(BATCH, rng));
        let norm = gradients.norm();
        if !(error.is_finite() && norm.is_finite()) {
            broken = Some(step);
            break;
        }
        norms.push(norm);
        errors.push(error);
        if let Some(longest) = clip {
            gradients.clip_norm(longest);
        }
        Sgd { learning_rate: RATE }.step(&mut model, &gradients);
    }
    let last = &errors[errors.len().saturating_sub(50)..];
    Trace {
        largest: short(norms.iter().copied().fold(0.0, Float::max)),
        worst: short(errors.iter().copied().fold(0.0, Float::max)),
        last: short(mean(last)),
        norms: norms.into_iter().step_by(3).map(short).collect(),
        broken,
    }
}

fn error_and_gradients(model: &Adder<Rnn>, seeds: &[usize]) -> (Float, ParamGradients) {
    let (x, steps, sums) = batch(LENGTH, seeds);
    loss_and_gradients(&[()], |tape: &Tape, ()| {
        let y = model.forward(tape.constant(x.clone()), &steps);
        squared_error(y, &sums) * (1.0 / seeds.len() as Float)
    })
}
