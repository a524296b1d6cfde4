//! The tests of chapter 7:
//!
//! - `attention`: the model against Luong's equations, written out pair by pair
//! - `program`: the committed results, and what the page says of them
//! - `program`: what it refuses
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod attention;
mod experiment;
mod program;
mod properties;
mod questions;
