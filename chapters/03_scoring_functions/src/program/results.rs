//! Everything the page quotes.

use super::example::Example;
use super::recall::Learned;
use super::same_space::SameSpace;
use super::scaling::Scaling;
use super::world::PAIRS;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub example: Example,
    /// By `d1`, `d2`, `d4` … `d4096`.
    pub scaling: BTreeMap<String, Scaling>,
    pub recall: BTreeMap<String, BTreeMap<String, Learned>>,
    /// How often the nearest key, found with the true map between the spaces, is the right one.
    pub ceiling: BTreeMap<String, Float>,
    pub same_space: SameSpace,
    pub claims: BTreeMap<String, Claim>,
}

/// The claims about recall. Chance is 1/16 = 0.0625; "fails" means less than twice that.
pub fn claims(recall: &BTreeMap<String, BTreeMap<String, Learned>>) -> BTreeMap<String, Claim> {
    let accuracy = |setting: &str, score: &str| recall[setting][score].accuracy;
    let all = |setting: &str, scores: &[&str], holds: &dyn Fn(Float) -> bool| {
        scores.iter().all(|score| holds(accuracy(setting, score)))
    };
    let works = |accuracy: Float| accuracy > 0.9;
    let fails = |accuracy: Float| accuracy < 2.0 / PAIRS as Float;
    let fixed = ["dot", "scaled_dot", "cosine"];
    let learned = ["general", "additive", "concat"];
    let content = ["same", "rotated", "wider"];
    let steps =
        |setting: &str, score: &str| recall[setting][score].steps_to_90.unwrap_or(usize::MAX);
    let list = [
        (
            "a_same_space",
            "in the same space dot, scaled dot, cosine, general, additive and concat work",
            all("same", &fixed, &works) && all("same", &learned, &works),
        ),
        (
            "b_rotated",
            "in a rotated space dot, scaled dot and cosine fail; general, additive and concat work",
            all("rotated", &fixed, &fails) && all("rotated", &learned, &works),
        ),
        (
            "c_wider",
            "in a space of another dimension general, additive and concat work",
            all("wider", &learned, &works),
        ),
        (
            "d_location",
            "location fails wherever content counts, and works where the position counts",
            content.iter().all(|setting| fails(accuracy(setting, "location")))
                && works(accuracy("position", "location")),
        ),
        (
            "e_position",
            "where the position counts, every score but location fails",
            all("position", &fixed, &fails)
                && all("position", &learned, &fails)
                && fails(accuracy("position", "additive_without_bias")),
        ),
        (
            "f_odd",
            "additive without bias stays below 1/2 wherever content counts",
            content.iter().all(|setting| accuracy(setting, "additive_without_bias") < 0.5),
        ),
        (
            "g_slower",
            "additive needs more steps to 0.9 than general wherever content counts",
            content.iter().all(|setting| steps(setting, "additive") > steps(setting, "general")),
        ),
    ];
    workbench::claims(list)
}
