//! Ways to descend from the same start, and where they lead.

use super::config::Config;
use crate::{Sees, Step, descend, learn, squared_error};
use kernel_regression::{Kernel, bandwidth};
use serde::{Deserialize, Serialize};
use shared::Float;

/// The textbook's training.
pub(super) fn textbook_training(
    config: &Config,
    start: Float,
    x: &[Float],
    y: &[Float],
) -> Vec<Step> {
    descend(start, config.learning_rate, config.epochs, |w| squared_error(x, y, w, Sees::Others))
}

/// The last entry of a descent.
pub(super) fn arrived(path: &[Step]) -> Step {
    path[path.len() - 1]
}

/// Steps from the textbook's start until the loss is within a tenth of a per cent of its minimum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Descents {
    /// With the textbook's rate, going on after its last epoch.
    pub textbook_rate: Option<usize>,
    /// With the small rate.
    pub small_rate: Option<usize>,
    /// In ln w on ln L.
    pub logarithms: Option<usize>,
}

/// Counts the steps, and finds the best width.
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
    /// w
    pub learnt: Float,
    /// 1/w, in units of x
    pub one_over: Float,
    /// h by leave-one-out and golden section
    pub bandwidth: Float,
    /// |1/w − h|/h
    pub relative_difference: Float,
    /// Leave-one-out mean squared error at 1/w.
    pub error: f64,
    /// Leave-one-out mean squared error at h.
    pub bandwidth_error: f64,
}

/// Chapter 1's choice for the same points.
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
