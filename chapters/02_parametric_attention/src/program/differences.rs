//! How exact finite differences are, in single and in double precision.

use crate::graph::two_keys;
use serde::{Deserialize, Serialize};
use workbench::figure::{Chart, Svg};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Differences {
    pub error_f32: f64,
    pub step_f32: f64,
    pub error_f64: f64,
    pub step_f64: f64,
}

pub(super) fn measure() -> (Differences, Svg) {
    // The formula of the page, in double precision.
    let exact: f64 = {
        let odds = (1.5_f64).exp(); // α₁/α₂ = e^{(4 − 1)/2}
        let (near, far) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
        let f = 3.0 * near + far;
        let covariance = near * (3.0 - f) * 1.0 + far * (1.0 - f) * 4.0;
        2.0 * (f - 2.0) * -covariance
    };
    let relative = |slope: f64| ((slope - exact) / exact).abs().max(1e-13);
    let steps: Vec<f64> = (0..=60).map(|i| 10f64.powf(-f64::from(i) / 6.0)).collect();
    let single: Vec<(f64, f64)> = steps
        .iter()
        .filter(|h| **h > 1e-7)
        .map(|h| {
            let (up, down) = (1.0 + *h as f32, 1.0 - *h as f32);
            (*h, relative(f64::from((two_keys(up) - two_keys(down)) / (up - down))))
        })
        .collect();
    let double: Vec<(f64, f64)> = steps
        .iter()
        .map(|h| (*h, relative((two_keys(1.0 + h) - two_keys(1.0 - h)) / ((1.0 + h) - (1.0 - h)))))
        .collect();
    let best = |errors: &[(f64, f64)]| {
        errors.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are steps")
    };
    let figure = Chart::new("", "step h", "relative error")
        .line("f32", &single)
        .line("f64", &double)
        .log(true, true)
        .draw();
    let ((step_f32, error_f32), (step_f64, error_f64)) = (best(&single), best(&double));
    (Differences { error_f32, step_f32, error_f64, step_f64 }, figure)
}
