//! The first step of the textbook's training, on data sets drawn like the first.

use super::config::Config;
use super::descents::{arrived, textbook_training};
use crate::{Sees, learn, squared_error};
use kernel_regression::data::noisy_points;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use workbench::figure::{Chart, Svg, colour};
use workbench::stream;

/// Where the textbook's first step leads on data sets drawn like the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstStep {
    pub data_sets: usize,
    pub loss_fell: usize,
    /// On how many `w` was more than twice its best value after the last epoch.
    pub beyond_twice: usize,
    /// The median of `w` after the last epoch over its best value.
    pub median_ratio: f64,
    pub largest_ratio: f64,
    /// On how many `w` was below a hundredth of its best value: the flat end of the landscape.
    pub stuck: usize,
    /// On how many `w` = 0 is a local minimum of the loss.
    pub minimum_at_zero: usize,
    pub stuck_in_minimum: usize,
}

/// A width below this share of the best one lies at the flat end of the landscape.
const STUCK: f64 = 0.01;

pub(super) fn first_steps(config: &Config) -> (FirstStep, Svg) {
    let mut ratios: Vec<(f64, f64)> = Vec::new(); // (w₀, w after the last epoch over the best w)
    let (mut fell, mut minimum_at_zero, mut stuck_in_minimum) = (0, 0, 0);
    for i in 0..config.data_sets as u64 {
        let rng = &mut rng(stream(config.seed, 1 + i));
        let (x, y) = noisy_points(config.points, rng);
        let path = textbook_training(config, rng.random::<f64>() as Float, &x, &y);
        fell += usize::from(arrived(&path).loss < path[0].loss);
        let best = arrived(&learn(1.0, |w| squared_error(&x, &y, w, Sees::Others)));
        let ratio = f64::from(arrived(&path).w.abs() / best.w);
        // The slope is 0 at w = 0; beside it, its sign says on which side the loss is lower.
        let minimum = squared_error(&x, &y, 1e-2, Sees::Others).1 > 0.0;
        minimum_at_zero += usize::from(minimum);
        stuck_in_minimum += usize::from(minimum && ratio < STUCK);
        ratios.push((path[0].w.into(), ratio));
    }
    let figure =
        Chart::new("", "start w₀", &format!("w after {} steps / best w", config.epochs_in_words()))
            .points("a data set", &ratios)
            .coloured(colour::TEXTBOOK)
            .dashed("the best w", &[(0.0, 1.0), (1.0, 1.0)])
            .coloured(colour::GIVEN)
            .log(false, true)
            .draw();
    ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
    let first_step = FirstStep {
        data_sets: config.data_sets,
        loss_fell: fell,
        beyond_twice: ratios.iter().filter(|(_, ratio)| *ratio > 2.0).count(),
        median_ratio: ratios[ratios.len() / 2].1,
        largest_ratio: ratios[ratios.len() - 1].1,
        stuck: ratios.iter().filter(|(_, ratio)| *ratio < STUCK).count(),
        minimum_at_zero,
        stuck_in_minimum,
    };
    (first_step, figure)
}

/// The textbook's training with the loss ½ Σ (f(xⱼ) − yⱼ)²: half the slope, so half the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Halved {
    pub learning_rate: Float,
    /// `w` after the first step.
    pub w_first: Float,
    /// `w` after the last.
    pub w: Float,
    pub loss: Float,
    /// On the further data sets, what [`FirstStep::beyond_twice`] says.
    pub beyond_twice: usize,
    /// … and [`FirstStep::median_ratio`].
    pub median_ratio: f64,
}

pub(super) fn halved(config: &Config, start: Float, x: &[Float], y: &[Float]) -> Halved {
    let config = Config { learning_rate: config.learning_rate / 2.0, ..config.clone() };
    let path = textbook_training(&config, start, x, y);
    let (further, _) = first_steps(&config);
    Halved {
        learning_rate: config.learning_rate,
        w_first: path[1].w,
        w: arrived(&path).w,
        loss: arrived(&path).loss,
        beyond_twice: further.beyond_twice,
        median_ratio: further.median_ratio,
    }
}
