//! The tests of chapter 8:
//!
//! - `looking`: draws follow the alignment, gradients follow the draws
//! - `properties`: what must hold always, tried on many random cases
//! - `statistics`: the sign test
//! - `questions`: the answers of the page's questions, computed

mod looking;
mod properties;
mod questions;
mod statistics;
