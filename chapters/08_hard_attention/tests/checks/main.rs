//! The tests of chapter 8:
//!
//! - `looking`: draws follow the alignment, gradients follow the draws
//! - `program`: the committed results, and what the page says of them
//! - `properties`: what must hold always, tried on many random cases
//! - `statistics`: what decides a claim about seeds
//! - `questions`: the answers of the page's questions, computed

mod experiment;
mod looking;
mod properties;
mod questions;
mod statistics;
