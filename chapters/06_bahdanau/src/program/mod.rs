//! What the page measures: the same translator with and without a look back, and where it looks.

#![allow(missing_docs)] // an experiment: names say it

mod arguments;
mod articles;
mod baselines;
mod claims;
mod commands;
mod explain;
mod fixed;
mod gain;
pub mod inside;
mod local;
mod looks;
mod lstms;
mod recipe;
mod rows;
pub mod square;
mod variants;

pub use arguments::{Compare, What};
pub use articles::{MASKS, Masked, Patched, masked};
pub use baselines::{Baseline, baselines};
pub use claims::claims;
pub use commands::program;
pub use explain::Explained;
pub use gain::{Results, Translated};
pub use local::LocalChange;
pub use looks::{Class, Look, best_possible, class_of, looks, looks_of};
pub use lstms::Lstms;
pub use recipe::{Chapter, Choices, build};
pub use rows::Corner;
