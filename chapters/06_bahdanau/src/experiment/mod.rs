//! What the page measures: the same translator with and without a look back.

mod claims;
mod compare;
mod figures;
mod looks;
mod recipe;
mod results;
mod trials;

pub use claims::claims;
pub use figures::figures;
pub use looks::{Class, Look, best_possible, class_of, looks};
pub use recipe::{Chapter, Choices, build};
pub use results::{Curve, ModelScores, Results, Translated};
pub use trials::{Model, equal_sizes};
