//! Everything the page quotes.

use super::additions::Learned;
use super::apples::Apple;
use super::clipping::Clipping;
use super::flow::Flow;
use super::packing::Padding;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Claim;

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// How gradients fade.
    pub flow: Flow,
    /// The adding problem, by `t10`, `t50` …, then by cell.
    pub adding: BTreeMap<String, BTreeMap<String, Learned>>,
    /// Exploding gradients.
    pub clipping: Clipping,
    /// The apple task.
    pub apple: Apple,
    /// What padding would cost.
    pub packing: BTreeMap<String, Padding>,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}
