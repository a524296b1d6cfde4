//! Everything the page quotes.

use super::example::Example;
use super::recall::Learned;
use super::same_space::SameSpace;
use super::scaling::Scaling;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The example worked by hand.
    pub example: Example,
    /// By `d1`, `d2`, `d4` … `d4096`.
    pub scaling: BTreeMap<String, Scaling>,
    /// By setting, then by score.
    pub recall: BTreeMap<String, BTreeMap<String, Learned>>,
    /// How often the nearest key, found with the true map between the spaces, is the right one.
    pub ceiling: BTreeMap<String, Float>,
    /// A closer look at the scores in one space.
    pub same_space: SameSpace,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}
