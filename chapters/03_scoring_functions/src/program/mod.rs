//! The chapter's program: which scores can learn a lookup.

mod example;
mod scaling;
mod training;

pub use crate::kinds::Kind;
pub use crate::lookup::{Episode, PAIRS, Setting, World};
pub use example::{Example, example};
pub use scaling::{STRANGERS, Scaling, Softness, scaling};
pub use training::{SAMPLES, TESTED, learn, test, train, world};
