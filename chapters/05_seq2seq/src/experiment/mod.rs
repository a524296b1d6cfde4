//! What the page measures: one vector between two networks, and what it costs.

mod arguments;
pub mod blind;
mod claims;
mod compare;
pub mod decoder;
mod figures;
pub mod learning;
mod recipe;
mod results;
mod trials;

pub use arguments::{About, Arguments};
pub use claims::claims;
pub use figures::figures;
pub use recipe::{Chapter, Choices, program};
pub use results::{ModelScores, Results, Search};
pub use trials::{Trial, reverse_sources, trials};
