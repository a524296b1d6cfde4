//! Questions about the decoder: what its last layer sees, what it reads, how it is searched, and whom
//! it takes for a he or a she.

mod beams;
mod claims;
mod compare;
mod exposure;
mod gender;
mod trials;

pub use beams::Beam;
pub use claims::claims;
pub use compare::{Results, compare};
pub use exposure::Exposure;
pub use gender::Pronouns;
pub use trials::wider;
