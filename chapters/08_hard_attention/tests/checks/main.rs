//! The tests of chapter 8:
//!
//! - `looking`: draws follow the alignment, gradients follow the draws
//! - `experiment`: the committed results, and what the page says of them

mod experiment;
mod looking;
