//! What the page measures: what 1/√d does, and which scores can learn a lookup.
//!
//! | file | about |
//! |---|---|
//! | `config`, `results` | what can be set, everything that is quoted, what was claimed beforehand |
//! | `example` | small enough for pencil and paper |
//! | `scaling` | why 1/√d |
//! | `world` | the lookup: episodes of keys, values and questions |
//! | `training` | a score learns it |
//! | `recall` | every score, in every setting |
//! | `same_space` | a closer look at what dot, general and cosine learn |
//! | `compare` | does 1/√d help training? by a command of its own |
//! | `figures`, `report` | the pictures, the tables |
//! | `statistics` | normal numbers and medians |

#![allow(missing_docs)] // an experiment: names say it

pub mod compare;
mod config;
mod example;
mod figures;
mod recall;
mod report;
mod results;
mod same_space;
mod scaling;
mod statistics;
mod training;
mod world;

pub use crate::kinds::Kind;
pub use config::Config;
pub use example::{Example, example};
pub use figures::{charts, weights_figure};
pub use recall::{Learned, recall};
pub use results::{Results, claims};
pub use same_space::{Misses, SameSpace, same_space};
pub use scaling::{STRANGERS, Scaling, Softness, scaling, scalings, sizes};
pub use training::{learn, test, train};
pub use world::{Episode, PAIRS, Setting, World};

use workbench::error::Result;

pub fn run(config: &Config) -> Result<Results> {
    let recall = recall(config)?;
    let ceiling = Setting::ALL.map(|s| (s.name().to_string(), recall::ceiling(s, config))).into();
    let (claims, same_space) = (claims(&recall), same_space(config));
    let scaling = scalings(config);
    Ok(Results { example: example(), scaling, recall, ceiling, same_space, claims })
}
