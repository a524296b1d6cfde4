//! What the page measures: the same translator with and without a look back, and where it looks.

mod arguments;
mod articles;
mod baselines;
mod claims;
mod explain;
mod figures;
mod fixed;
mod gain;
pub mod inside;
mod local;
mod looks;
mod probes;
mod program;
mod recipe;
mod results;
mod rows;
pub mod square;
mod variants;

pub use arguments::{Compare, What};
pub use articles::{MASKS, Masked, Patched, masked};
pub use baselines::{Baseline, baselines};
pub use claims::claims;
pub use explain::Explained;
pub use figures::figures;
pub use looks::{Class, Look, best_possible, class_of, looks, looks_of};
pub use probes::{ArticleSpread, ExplainedSpread, Found, LocalChange, PatchSpread};
pub use program::program;
pub use recipe::{Chapter, Choices, build};
pub use results::{Curve, ModelScores, Results, Translated};
pub use rows::Corner;
