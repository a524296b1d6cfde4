//! What the page measures: one vector between two networks, and what it costs.

mod claims;
mod compare;
mod figures;
mod recipe;
mod results;
mod trials;

pub use claims::claims;
pub use figures::figures;
pub use recipe::{Chapter, Choices};
pub use results::{ModelScores, Results, Search};
pub use trials::{Trial, reverse_sources, trials};
