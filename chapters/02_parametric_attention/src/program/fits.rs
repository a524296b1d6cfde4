//! Fits of the same points with different widths.

use super::grid::{even, queries};
use crate::{Sees, effective_keys, predict, squared_error, weights};
use kernel_regression::data::truth;
use kernel_regression::mean_squared_error;
use serde::{Deserialize, Serialize};
use shared::Float;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fits {
    /// w = 1: before any training, as the textbook's chapter on kernel regression has it.
    pub unit: Fit,
    pub textbook: Fit,
    pub learnt: Fit,
    pub itself: Fit,
    pub truth_bending: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fit {
    pub w: Float,
    pub loss: Float,
    pub loss_with_itself: Float,
    /// Mean squared distance from the truth at 501 queries from 0 to 5.
    pub distance_from_truth: f64,
    /// How many keys share the attention, on average over the queries 0, 0.1 … 4.9.
    pub keys: Float,
    /// How much the fitted curve bends: all changes of its slope between 0 and 5, added up.
    pub bending: f64,
}

pub(super) fn fit(w: Float, x: &[Float], y: &[Float]) -> Fit {
    let grid = even(0.0, 5.0, 501);
    let (curve, truths) = (predict(&grid, x, y, w), grid.iter().map(|x| truth(*x)));
    let queries = queries();
    let squares = |query: &Float| 1.0 / effective_keys(&weights(*query, x, w, None));
    Fit {
        w,
        loss: squared_error(x, y, w, Sees::Others).0,
        loss_with_itself: squared_error(x, y, w, Sees::Everyone).0,
        distance_from_truth: mean_squared_error(&curve, &truths.collect::<Vec<_>>()),
        keys: queries.len() as Float / queries.iter().map(squares).sum::<Float>(),
        bending: bending(&curve),
    }
}

pub(super) fn bending(curve: &[Float]) -> f64 {
    let f = |i: usize| f64::from(curve[i]);
    (1..curve.len() - 1).map(|i| ((f(i + 1) - f(i)) - (f(i) - f(i - 1))).abs() / 0.01).sum()
}
