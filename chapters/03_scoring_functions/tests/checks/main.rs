//! The tests of chapter 3:
//!
//! - `experiment`: the committed results, and what the page says of them
//! - `scores`: scores, masks and attention against their formulas, PyTorch and each other

mod experiment;
mod scores;
