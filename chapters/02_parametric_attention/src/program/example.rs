//! Three neighbours of half past ten.

use crate::{predict_with_slope, weights};
use serde::{Deserialize, Serialize};
use shared::Float;

/// Chapter 1's measurements, 14°, 17° and 20° at 9, 10 and 13 o'clock, asked about half past ten
/// with a wide, a middling and a narrow window.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    pub wide: Answer,
    pub middling: Answer,
    pub narrow: Answer,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub w: Float,
    pub weights: Vec<Float>,
    pub prediction: Float,
    /// Its change for a change of `w`.
    pub slope: Float,
    /// What each of the three contributes to this: −w αᵢ (yᵢ − f) uᵢ².
    pub shares: Vec<Float>,
}

pub(super) fn by_hand() -> Example {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let answer = |w: Float| {
        let (prediction, slope) = predict_with_slope(10.5, &hours, &degrees, w, None);
        let weights = weights(10.5, &hours, w, None);
        let share = |i: usize| {
            -w * weights[i] * (degrees[i] - prediction) * (10.5 - hours[i]) * (10.5 - hours[i])
        };
        let shares = (0..3).map(share).collect();
        Answer { w, weights, prediction, slope, shares }
    };
    Example { wide: answer(0.25), middling: answer(1.0), narrow: answer(4.0) }
}
