//! What the page measures: the same translator with and without a look back, and where it looks.

mod articles;
mod baselines;
mod claims;
mod compare;
mod explain;
mod figures;
mod fixed;
pub mod inside;
mod local;
mod looks;
mod probes;
mod recipe;
mod results;
pub mod square;
mod trials;
mod variants;

pub use articles::{MASKS, Masked, Patched, masked};
pub use baselines::{Baseline, baselines};
pub use claims::claims;
pub use compare::{Compare, What};
pub use explain::Explained;
pub use figures::figures;
pub use looks::{Class, Look, best_possible, class_of, looks, looks_of};
pub use probes::{ArticleSpread, ExplainedSpread, Found, LocalChange, PatchSpread};
pub use recipe::{Chapter, Choices, build, program};
pub use results::{Curve, ModelScores, Results, Translated};
pub use trials::{Model, equal_sizes};
