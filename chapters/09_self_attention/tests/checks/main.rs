//! The tests of chapter 9:
//!
//! - `layers`: heads, masks and a bias that does nothing
//! - `experiment`: the committed results, and what the page says of them

mod experiment;
mod layers;
