//! Three readings of a thermometer, and half past ten.

use crate::{Kernel, attention_weights, nadaraya_watson};
use serde::{Deserialize, Serialize};
use shared::Float;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thermometer {
    /// Kernel values at 9, 10 and 13 o'clock, asked at half past ten.
    pub kernel: [Float; 3],
    pub sum: Float,
    pub weights: [Float; 3],
    pub degrees: Float,
}

pub(super) fn half_past_ten() -> Thermometer {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let kernel = hours.map(|hour: Float| Kernel::Gaussian.weight(10.5 - hour));
    let weights = attention_weights(&[10.5], &hours, Kernel::Gaussian, 1.0);
    Thermometer {
        kernel,
        sum: kernel.iter().sum(),
        weights: [weights[0], weights[1], weights[2]],
        degrees: nadaraya_watson(&[10.5], &hours, &degrees, Kernel::Gaussian, 1.0)[0],
    }
}
