//! The tests of chapter 5:
//!
//! - `bleu`: BLEU against sacreBLEU and the textbook's formula
//! - `decoding`: search and sampling where the probabilities are known
//! - `experiment`: the committed results, and what the page says of them
//! - `limits`: the command line on texts, arguments and machines that it was not made for
//! - `program`: the command line from outside (in a `place` of its own)
//! - `properties`: what must hold always, tried on many random cases
//! - `subwords`: words in pieces, from training to alignments; files to judge by
//! - `survival`: kills, interruptions, damage, forgeries

mod bleu;
mod decoding;
mod experiment;
mod limits;
mod place;
mod program;
mod properties;
mod subwords;
mod survival;
