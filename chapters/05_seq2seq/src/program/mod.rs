//! What the page measures: one vector between two networks, and what it costs.

#![allow(missing_docs)] // an experiment: names say it

mod arguments;
pub mod blind;
mod claims;
mod commands;
mod compare;
pub mod decoder;
mod recipe;
mod searches;
mod trials;

pub use arguments::{About, Arguments};
pub use claims::claims;
pub use commands::program;
pub use compare::Results;
pub use recipe::{Chapter, Choices};
pub use searches::{Search, Searched};
pub use trials::{Row, Setup, reverse_sources, rows};
