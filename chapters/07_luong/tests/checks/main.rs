//! The tests of chapter 7:
//!
//! - `attention`: the model against Luong's equations, written out pair by pair
//! - `experiment`: the committed results, and what the page says of them

mod attention;
mod experiment;
