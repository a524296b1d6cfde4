//! Chapter 17: eight estimators on chapter 1's points; in the files, what memories forget, layers that are trained and
//! asked, a language model with either kind of attention, and what that costs.

mod copying;
mod cost;
mod layers;
mod memories;
mod models;
mod points;

use crate::comparison::Comparison;
use copying::COPYING;
use cost::COST;
use layers::LAYERS;
use memories::MEMORIES;
use models::MODELS;
use points::POINTS;

pub const EVIDENCE: &[Comparison] = &[POINTS, MEMORIES, LAYERS, MODELS, COPYING, COST];
