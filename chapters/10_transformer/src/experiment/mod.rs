//! The chapter's program and what it measures.

pub mod recipe;

pub use recipe::program;
