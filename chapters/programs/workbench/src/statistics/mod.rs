//! Numbers over seeds and over sentences: a spread, an interval, whether one lies below another.

mod bootstrap;
mod spread;

pub use bootstrap::{Bootstrap, Interval, Tally};
pub use spread::{Spread, mean, rounded, significant, smaller};
