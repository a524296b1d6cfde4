//! The tests of chapter 2:
//!
//! - `bad_input`: the program where numbers end
//! - `graph`: the drawing of the appendix
//! - `golden`: training and the gradient of a matrix, as PyTorch computes them
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod bad_input;
mod golden;
mod graph;
mod properties;
mod questions;
