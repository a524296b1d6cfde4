//! The model that is looked at, in the midst of its training.

use crate::Baseline;
use crate::program::config::Config;
use crate::program::training::{Change, Kind, batch_loss, draw, train};
use crate::retrieval::{Episode, Method, Model};
use shared::{Float, Tape, rng};
use std::collections::BTreeMap;

pub struct Snapshot {
    pub model: Model,
    pub episode: Episode,
}

/// Steps of training before each of the two closer looks: while the model knows nothing yet, and
/// soon after it has found out.
pub const STEPS: [(&str, usize); 2] = [("early", 300), ("late", 600)];

/// One training, by looks with baseline and entropy bonus, at the two steps.
pub fn snapshots(config: &Config) -> BTreeMap<String, Snapshot> {
    STEPS.map(|(name, steps)| (name.to_string(), snapshot(config, steps))).into()
}

pub fn snapshot(config: &Config, steps: usize) -> Snapshot {
    let short = Config { steps, ..config.clone() };
    let model = train(Kind::BaselineEntropy, Change::None, &short, 0, |_, _| {});
    Snapshot { model, episode: config.world(0).episode(&mut rng(config.stream(4000))) }
}

pub(super) fn moving_average(config: &Config, model: &Model) -> Float {
    let (world, rng) = (config.world(0), &mut rng(config.stream(6000)));
    let mut baseline = Baseline::default();
    for _ in 0..100 {
        let (batch, uniforms) = draw(config, &world, rng);
        let method = Method::Sampled { baseline: baseline.value(), entropy: 0.0 };
        let tape = Tape::without_gradients();
        baseline.update(batch_loss(model, &tape, &batch, method, &uniforms).0.scalar());
    }
    baseline.value()
}
