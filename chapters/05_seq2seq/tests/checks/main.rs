//! The tests of chapter 5:
//!
//! - `bleu`: BLEU against sacreBLEU and the textbook's formula
//! - `decoding`: search and sampling where the probabilities are known
//! - `experiment`: the committed results, and what the page says of them
//! - `program`: the command line from outside
//! - `properties`: what must hold always, tried on many random cases

mod bleu;
mod decoding;
mod experiment;
mod program;
mod properties;
