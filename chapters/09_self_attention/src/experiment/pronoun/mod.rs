//! What does *it* look at?
//!
//! | module | holds |
//! |---|---|
//! | [`sentences`] | sentences in which *it* can be either of two nouns |
//! | [`guesser`] | two blocks of attention, and a bag of words |
//! | `measure` | one training, all trainings, what they gave |
//! | `figures` | the picture |

mod figures;
pub mod guesser;
mod measure;
pub mod sentences;

pub use figures::figures;
pub use measure::{Config, Example, Looks, NEAR, Pronoun, Right, measure, trainings};
