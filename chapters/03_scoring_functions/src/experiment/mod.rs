//! What the page measures: what 1/√d does, and which scores can learn a lookup.
//!
//! | file | about |
//! |---|---|
//! | `config`, `results` | what can be set, and everything that is quoted |
//! | `example` | small enough for pencil and paper |
//! | `scaling` | why 1/√d |
//! | `world` | the lookup: episodes of keys, values and questions |
//! | `training` | a score learns it |
//! | `recall` | every score, in every setting |
//! | `same_space` | a closer look at what dot, general and cosine learn |
//! | `compare` | two questions that only training answers, by a command of their own |
//! | `claims` | what was claimed beforehand |
//! | `figures`, `report` | the pictures, the tables |
//! | `statistics` | normal numbers, means and medians |

mod claims;
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
pub use claims::claims;
pub use config::Config;
pub use example::{Example, example};
pub use figures::{charts, weights_figure};
pub use recall::{Learned, recall, trainings};
pub use results::Results;
pub use same_space::{Misses, SameSpace, same_space};
pub use scaling::{STRANGERS, Scaling, Softness, scaling, scalings, sizes};
pub use training::{SAMPLES, learn, test, train};
pub use world::{Episode, PAIRS, Setting, World};

/// Runs everything; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Results {
    let recall = recall(config, done);
    let ceiling = Setting::ALL.map(|s| (s.name().to_string(), recall::ceiling(s, config))).into();
    let claims = claims(&recall);
    let same_space = same_space(config);
    Results { example: example(), scaling: scalings(config), recall, ceiling, same_space, claims }
}
