//! The tests of chapter 3:
//!
//! - `scores`: scores, masks and attention against their formulas, PyTorch and each other
//! - `sequences`: who sees whom, and attention over it in every form
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod properties;
mod questions;
mod scores;
mod sequences;
