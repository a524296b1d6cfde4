//! Questions about the chapter's decoder: what its own words cost it, how it is searched, and whom it
//! takes for a he or a she.

mod beams;
mod claims;
mod compare;
pub(super) mod exposure;
mod gender;
mod results;

pub use beams::Beam;
pub use claims::claims;
pub use compare::compare;
pub use exposure::{Exposure, Twice};
pub use gender::{Pronouns, sentences};
pub use results::Results;
