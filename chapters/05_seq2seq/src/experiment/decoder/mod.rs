//! Questions about the decoder: what its last layer sees, what it reads, how it is searched, and what
//! BLEU does not see of what it writes.

mod beams;
mod blind;
mod claims;
mod compare;
mod exposure;
mod gender;
mod trials;

pub use beams::Beam;
pub use blind::{Exchanged, exchanged};
pub use claims::claims;
pub use compare::{Results, compare};
pub use exposure::Exposure;
pub use gender::Pronouns;
