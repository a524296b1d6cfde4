//! Two questions that only training answers: `cargo run --release -p scoring_functions -- --compare`.
//!
//! | file | about |
//! |---|---|
//! | `scaling` | does 1/√d make training faster? |
//! | `dropout` | what does it do to leave weights out at random? |
//! | `claims` | what was claimed beforehand |

mod claims;
mod dropout;
mod scaling;

pub use claims::claims;
pub use dropout::{Dropped, dropped};
pub use scaling::{Best, Form, Scaled, projected, scaled};

use super::config::Config;
use super::statistics::mean;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;

/// Everything the page quotes of the comparisons: its `figures/compare.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// By `d16`, `d64` … `d1024`.
    pub scaling: BTreeMap<String, Scaled>,
    /// By `p0`, `p10` … `p50`: the probability in per cent.
    pub dropout: BTreeMap<String, Dropped>,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}

/// One number a seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seeds {
    /// In the order of the seeds.
    pub of_seeds: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The lowest.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
}

impl Seeds {
    fn new(of_seeds: Vec<Float>) -> Seeds {
        let lowest = of_seeds.iter().copied().fold(Float::INFINITY, Float::min).into();
        let highest = of_seeds.iter().copied().fold(Float::NEG_INFINITY, Float::max).into();
        let mean = mean(&of_seeds).into();
        Seeds { of_seeds: of_seeds.into_iter().map(f64::from).collect(), mean, lowest, highest }
    }
}

/// Runs both comparisons.
pub fn compare(config: &Config) -> Compared {
    let scaling: BTreeMap<_, _> =
        scaling::WIDTHS.map(|d| (format!("d{d}"), scaled(d, config))).into();
    let dropout: BTreeMap<_, _> =
        dropout::SHARES.map(|p| (format!("p{:.0}", 100.0 * p), dropped(p, config))).into();
    let claims = claims(&scaling, &dropout);
    Compared { scaling, dropout, claims }
}
