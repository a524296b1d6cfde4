//! What the page reports.
//!
//! | file | about |
//! |---|---|
//! | `config` | what can be set |
//! | `thermometer` | three readings, worked by hand |
//! | `fits` | kernels and bandwidths on fifty points |
//! | `underflow` | where the quotient of sums ends |
//! | `weights` | the matrix of the weights |
//! | `consistency` | how the error falls as points are added |
//! | `lookup` | a memory asked with noisy keys |
//! | `timing` | streaming against the whole matrix |
//! | `queries` | where curves are asked for |

#![allow(missing_docs)] // an experiment: names say it

mod config;
mod consistency;
mod fits;
mod lookup;
mod queries;
mod thermometer;
mod timing;
mod underflow;
mod weights;

pub use crate::data::{noisy_points, truth};
pub use config::Config;
pub use consistency::{Consistency, Size, consistency};
pub use fits::{Bandwidths, DrawnAnew, Fit, Flat};
pub use lookup::{Lookup, lookup};
pub use thermometer::Thermometer;
pub use timing::{Measured, time};
pub use underflow::Underflow;
pub use weights::Weights;

use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::figure::Svg;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub seed: u64,
    pub points: usize,
    pub thermometer: Thermometer,
    pub average_pooling: Flat,
    pub kernels: BTreeMap<String, Fit>,
    /// The Gaussian with bandwidths that nobody should choose, and with the best.
    pub bandwidths: Bandwidths,
    pub underflow: Vec<Underflow>,
    pub weights: Weights,
    pub consistency: Consistency,
    pub lookup: Vec<Lookup>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

pub type Figures = Vec<(&'static str, Svg)>;

/// Runs everything. `step` is called [`Config::steps`] times.
pub fn run(config: &Config, step: impl Fn()) -> (Results, Figures) {
    let data = noisy_points(config.points, &mut rng(config.seed));
    let (kernels, bandwidths, mut figures) = fits::smooth(&data, config);
    let chosen = kernels["gaussian"].bandwidth;
    let (weights, heatmap) = weights::measure(&data, chosen);
    let (consistency, falling) = consistency(config, step);
    let (lookup, memory) = lookup(config);
    figures.extend([("weights", heatmap), ("consistency", falling), ("lookup", memory)]);
    let results = Results {
        seed: config.seed,
        points: config.points,
        thermometer: thermometer::half_past_ten(),
        average_pooling: fits::flat(&data),
        kernels,
        bandwidths,
        underflow: underflow::measure(&data),
        weights,
        consistency,
        lookup,
        measured: None,
    };
    (results, figures)
}
