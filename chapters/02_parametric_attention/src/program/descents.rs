//! Ways to descend from the same start, and where they lead.

use super::config::Config;
use crate::{Sees, Step, descend, learn, squared_error};
use kernel_regression::{Kernel, bandwidth};
use serde::{Deserialize, Serialize};
use shared::Float;

pub(super) fn textbook_training(
    config: &Config,
    start: Float,
    x: &[Float],
    y: &[Float],
) -> Vec<Step> {
    descend(start, config.learning_rate, config.epochs, |w| squared_error(x, y, w, Sees::Others))
}

pub(super) fn arrived(path: &[Step]) -> Step {
    path[path.len() - 1]
}

/// Steps from the textbook's start until the loss is within a tenth of a per cent of its minimum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Descents {
    pub textbook_rate: Option<usize>,
    pub small_rate: Option<usize>,
    pub logarithms: Option<usize>,
}

pub(super) fn compare(
    config: &Config,
    start: Float,
    x: &[Float],
    y: &[Float],
) -> (Descents, Float) {
    let loss = |w| squared_error(x, y, w, Sees::Others);
    let learnt = learn(start, loss);
    // A start on the plateau near 0 leads nowhere; then a start at 1 does.
    let (here, from_one) = (arrived(&learnt), arrived(&learn(1.0, loss)));
    let best = if from_one.loss < 0.999 * here.loss { from_one } else { here };
    let until = |path: &[Step]| path.iter().position(|step| step.loss < 1.001 * best.loss);
    let descents = Descents {
        textbook_rate: until(&descend(start, config.learning_rate, 5_000, loss)),
        small_rate: until(&descend(start, config.small_rate, 5_000, loss)),
        logarithms: until(&learnt),
    };
    (descents, best.w)
}

/// The learnt width beside the bandwidth that chapter 1 chose by trying.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Width {
    pub learnt: Float,
    /// 1/w, in units of x
    pub one_over: Float,
    pub bandwidth: Float,
    /// |1/w − h|/h
    pub relative_difference: Float,
    /// Leave-one-out mean squared error at 1/w.
    pub error: f64,
    pub bandwidth_error: f64,
}

pub(super) fn width(learnt: Float, x: &[Float], y: &[Float]) -> Width {
    let candidates = bandwidth::candidates(x);
    let choice = bandwidth::choose(x, y, Kernel::Gaussian, &candidates, 1, || ());
    let h = choice.bandwidth;
    Width {
        learnt,
        one_over: 1.0 / learnt,
        bandwidth: h,
        relative_difference: (1.0 / learnt - h).abs() / h,
        error: bandwidth::leave_one_out_error(x, y, Kernel::Gaussian, 1.0 / learnt, 1),
        bandwidth_error: choice.error,
    }
}
