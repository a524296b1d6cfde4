//! What the page measures: one vector between two networks, and what it costs.

mod arguments;
pub mod blind;
mod claims;
mod compare;
pub mod decoder;
mod figures;
pub mod learning;
mod program;
mod recipe;
mod results;
mod searches;
mod trials;

pub use arguments::{About, Arguments};
pub use claims::claims;
pub use figures::figures;
pub use program::program;
pub use recipe::{Chapter, Choices};
pub use results::{ModelScores, Results};
pub use searches::Search;
pub use trials::{Row, Setup, reverse_sources, rows};
