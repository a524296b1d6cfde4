//! The chapter's program: models trained on the generated shop or on a reader's own interactions,
//! judged by three rulers, and asked for recommendations with reasons.
//!
//! | file | holds |
//! |---|---|
//! | `data`, `interactions` | customers of the shop, and of files of interactions |
//! | `split` | what is trained on, and what is held out |
//! | `task`, `fit` | a model's sizes, and its training in the course's loop |
//! | `judge` | ranks of what was bought; whether the largest weight lies on the reason |
//! | `train`, `program` | `train`, `recommend`, `evaluate`; the commands |
//! | `weights` | one history, asked by three candidates |
//! | `compare`, `claims`, `figures` | the page's comparison |
//! | `bench` | how long a training step takes |

#![allow(missing_docs)] // an experiment: names say it

mod bench;
mod claims;
mod commands;
mod compare;
mod data;
mod figures;
mod fit;
mod interactions;
mod judge;
mod split;
mod task;
mod train;
mod weights;

pub use claims::changed_places;
pub use commands::program;
pub use compare::{Config, NUMBERS, compare, comparison, rows};
pub use data::{Customer, Data};
pub use fit::{Choice, Fitted, Recipe, fit, popularity};
pub use interactions::{DataArgs, read_interactions};
pub use judge::{Judged, Order, hit_rate, judge, reason_rate, reasons};
pub use split::{Example, Parts, Split};
pub use task::RecommendationTask;
pub use train::{Description, RecommendArgs, TrainArgs, recommend, train};
pub use weights::Case;
