//! How the error falls as points are added, beside what theory expects.

use super::config::{Config, sets};
use super::queries::whole;
use crate::data::{NOISE, noisy_points};
use crate::{mean_squared_error, streaming};
use serde::{Deserialize, Serialize};
use shared::{Float, Rng, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Svg, colour};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Consistency {
    /// h = constant · n^(−1/5).
    pub constant: Float,
    /// Slope of ln(error) against ln(n), for queries from 1 to 4.
    pub slope_inside: f64,
    pub slope_inside_se: f64,
    /// The same without the smallest sets: from 1000 points.
    pub slope_inside_large: f64,
    pub slope_inside_large_se: f64,
    /// The slope for queries from 0 to 5, from 1000 points.
    pub slope_whole: f64,
    pub slope_whole_se: f64,
    pub sizes: BTreeMap<usize, Size>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Size {
    pub bandwidth: Float,
    pub sets: usize,
    /// Mean squared distance from the truth for queries from 1 to 4.
    pub inside: f64,
    pub inside_se: f64,
    /// The same for queries from 0 to 5.
    pub whole: f64,
    pub whole_se: f64,
    pub theory: f64,
}

/// How the error falls as points are added, with the bandwidth that theory finds best inside.
pub fn consistency(config: &Config, step: impl Fn()) -> (Consistency, Svg) {
    let theory = Theory::new();
    let measure = |n: usize| {
        let h = theory.bandwidth(n) as Float;
        let mut rng = rng(config.seed);
        rng.set_stream(n as u64); // every size has its own numbers, whichever sizes are measured
        let errors: Vec<(f64, f64)> = (0..sets(n))
            .map(|_| {
                let errors = one_set(n, h, &mut rng);
                step();
                errors
            })
            .collect();
        let (inside, inside_se) = mean_and_error(errors.iter().map(|e| e.0));
        let (whole, whole_se) = mean_and_error(errors.iter().map(|e| e.1));
        let theory = theory.error(n);
        Size { bandwidth: h, sets: sets(n), inside, inside_se, whole, whole_se, theory }
    };
    let sizes: BTreeMap<usize, Size> = config.sizes.iter().map(|n| (*n, measure(*n))).collect();
    let line = |value: &dyn Fn(&Size) -> f64| -> Vec<(f64, f64)> {
        sizes.iter().map(|(n, size)| (*n as f64, value(size))).collect()
    };
    let (inside, whole) = (line(&|size| size.inside), line(&|size| size.whole));
    let inside_errors = line(&|size| size.inside_se / size.inside);
    let whole_errors = line(&|size| size.whole_se / size.whole);
    let large = sizes.keys().filter(|n| **n < 1000).count();
    let (slope_inside, slope_inside_se) = slope(&inside, &inside_errors);
    let (slope_inside_large, slope_inside_large_se) =
        slope(&inside[large..], &inside_errors[large..]);
    let (slope_whole, slope_whole_se) = slope(&whole[large..], &whole_errors[large..]);
    let figure = Chart::new("", "points n", "mean squared error")
        .points("measured, 1 ≤ x ≤ 4", &inside)
        .points("measured, 0 ≤ x ≤ 5", &whole)
        .dashed("theory, 1\u{a0}≤\u{a0}x\u{a0}≤\u{a0}4", &line(&|size| size.theory))
        .coloured(colour::GIVEN)
        .log(true, true)
        .draw();
    let results = Consistency {
        constant: theory.bandwidth(1) as Float,
        slope_inside,
        slope_inside_se,
        slope_inside_large,
        slope_inside_large_se,
        slope_whole,
        slope_whole_se,
        sizes,
    };
    (results, figure)
}

/// The mean squared errors of one set of n points: inside, and over the whole interval.
fn one_set(n: usize, h: Float, rng: &mut Rng) -> (f64, f64) {
    let (keys, values) = noisy_points(n, rng);
    let (queries, truths) = whole();
    let predictions = streaming::smooth(&queries, &keys, &values, h);
    let inside = 100..=400; // 1 ≤ x ≤ 4
    (
        mean_squared_error(&predictions[inside.clone()], &truths[inside]),
        mean_squared_error(&predictions, &truths),
    )
}

fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The slope of ln y against ln x by weighted least squares, and its standard error, from the
/// relative standard errors of y.
fn slope(line: &[(f64, f64)], relative_errors: &[(f64, f64)]) -> (f64, f64) {
    let weights: Vec<f64> = relative_errors.iter().map(|(_, e)| e.powi(-2)).collect();
    let total: f64 = weights.iter().sum();
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| {
        line.iter().zip(&weights).map(|(p, w)| w * value(p)).sum::<f64>() / total
    };
    let (x_mean, y_mean) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    let variance = mean(&|p| (p.0.ln() - x_mean).powi(2));
    let covariance = mean(&|p| (p.0.ln() - x_mean) * (p.1.ln() - y_mean));
    (covariance / variance, (1.0 / (total * variance)).sqrt())
}

// ANCHOR: theory
/// What theory expects of the Gaussian kernel for 1 ≤ x ≤ 4, far from the ends:
/// error(h) = B h⁴ + V/(n h), the squared bias and the variance.
struct Theory {
    b: f64,
    v: f64,
}

impl Theory {
    fn new() -> Theory {
        let curvature = |x: f64| -2.0 * x.sin() - 0.16 * x.powf(-1.2); // f''
        let squares = (0..3000).map(|i| curvature(1.0005 + f64::from(i) / 1000.0).powi(2));
        let density = 1.0 / 5.0; // of x, uniform on [0, 5]
        let roughness = 0.5 / std::f64::consts::PI.sqrt(); // ∫K² of the normalised kernel
        let v = f64::from(NOISE).powi(2) * roughness / density;
        Theory { b: squares.sum::<f64>() / 3000.0 / 4.0, v }
    }

    /// Where the derivative of the error, 4 B h³ − V/(n h²), is zero.
    fn bandwidth(&self, n: usize) -> f64 {
        (self.v / (4.0 * self.b * n as f64)).powf(0.2)
    }

    fn error(&self, n: usize) -> f64 {
        let h = self.bandwidth(n);
        self.b * h.powi(4) + self.v / (n as f64 * h)
    }
}
// ANCHOR_END: theory
