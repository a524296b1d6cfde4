//! The tests of chapter 6:
//!
//! - `attention`: scores, weights and contexts of a batch, sentence by sentence
//! - `experiment`: the committed results, and what the page says of them
//! - `properties`: what must hold always, tried on many random cases

mod attention;
mod experiment;
mod properties;
