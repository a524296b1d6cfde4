//! The tests of chapter 2:
//!
//! - `bad_input`: the program where numbers end
//! - `program`: the committed results, and what the page says of them
//! - `golden`: training and the gradient of a matrix, as PyTorch computes them
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod bad_input;
mod experiment;
mod golden;
mod properties;
mod questions;
