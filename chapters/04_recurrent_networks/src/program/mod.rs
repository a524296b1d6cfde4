//! The chapter's program, and the training on the adding problem.

pub mod adding;
pub mod next_word;

pub use crate::flow;
