//! The tests of chapter 17:
//!
//! - `arguments`: the program on chapter 1's points and on files as people have them
//! - `properties`: what holds of all eight, in single precision
//! - `questions`: the answers of the page's questions, computed

mod arguments;
mod properties;
mod questions;
