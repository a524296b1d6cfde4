//! Everything the page quotes.

use super::additions::Additions;
use super::apples::Apple;
use super::clipping::Clipping;
use super::flow::Flow;
use super::packing::Padding;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Claim;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub flow: Flow,
    pub adding: Additions,
    pub clipping: Clipping,
    pub apple: Apple,
    pub packing: BTreeMap<String, Padding>,
    pub claims: BTreeMap<String, Claim>,
}
