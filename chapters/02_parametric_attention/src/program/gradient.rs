//! The gradient at the start of training: by hand, by the tape, by differences.

use super::grid::spaced;
use crate::training::on_tape;
use crate::{Sees, squared_error};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix};

/// ∂L/∂w at the start of training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GradientCheck {
    pub w: Float,
    pub by_hand: Float,
    pub tape: Float,
    pub differences: Float,
    /// The largest relative difference between hand and tape over widths from 0.1 to 30.
    pub worst: Float,
}

pub(super) fn check(start: Float, x: &[Float], y: &[Float]) -> GradientCheck {
    let by_hand = |w: Float| squared_error(x, y, w, Sees::Others).1;
    let relative = |w: &Float| (on_tape(*w, x, y).1 - by_hand(*w)).abs() / by_hand(*w).abs();
    let differences = shared::finite_differences(
        |w| squared_error(x, y, w[0], Sees::Others).0,
        &Matrix::from_element(1, 1, start),
    );
    GradientCheck {
        w: start,
        by_hand: by_hand(start),
        tape: on_tape(start, x, y).1,
        differences: differences[0],
        worst: spaced(0.1, 30.0, 40).iter().map(relative).fold(0.0, Float::max),
    }
}
