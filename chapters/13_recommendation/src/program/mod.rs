//! The chapter's program: a model trained on the generated shop or on a reader's own interactions, judged by
//! three rulers, and asked for recommendations with reasons.
//!
//! | file | holds |
//! |---|---|
//! | `data`, `interactions` | customers of the shop, and of files of interactions |
//! | `split` | what is trained on, and what is held out |
//! | `recipe`, `task`, `fit` | a model's sizes, and its training in the course's loop |
//! | `judge` | ranks of what was bought; whether the largest weight lies on the reason |
//! | `train`, `recommend`, `commands` | the commands |
//! | `weights` | one history, asked by three candidates |

#![allow(missing_docs)] // a program: names say it

mod commands;
mod data;
mod fit;
mod interactions;
mod judge;
mod recipe;
mod recommend;
mod split;
mod task;
mod train;
mod weights;

pub use commands::program;
pub use data::{Customer, Data};
pub use fit::{Fitted, fit};
pub use interactions::{DataArgs, read_interactions};
pub use judge::{RULERS, judge, reason_rate};
pub use recipe::{Choice, Recipe};
pub use recommend::{Description, RecommendArgs, recommend};
pub use split::{Example, Parts};
pub use task::RecommendationTask;
pub use train::{TrainArgs, train};
pub use weights::Case;
