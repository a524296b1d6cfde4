//! The tests of chapter 7:
//!
//! - `attention`: the model against Luong's equations, written out pair by pair
//! - `choices`: what the program's choices make of a model
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod attention;
mod choices;
mod properties;
mod questions;
