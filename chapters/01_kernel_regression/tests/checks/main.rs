//! The tests of chapter 1:
//!
//! - `bad_input`: the program on files as people have them
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod bad_input;
mod properties;
mod questions;
