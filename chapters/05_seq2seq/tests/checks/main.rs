//! The tests of chapter 5:
//!
//! - `bleu`: BLEU and its tokens against sacreBLEU, and the textbook's formula
//! - `bootstrap`: intervals by resampling, against corpora written out
//! - `chrf`: chrF against sacreBLEU
//! - `decoding`: search and sampling where the probabilities are known
//! - `limits`: the command line on texts, arguments and machines that it was not made for
//! - `own_words`: what a decoder reads, as defined word by word
//! - `program`: the command line from outside (in a `place` of its own)
//! - `properties`: what must hold always, tried on many random cases
//! - `subwords`: words in pieces, from training to alignments; files to judge by
//! - `survival`: kills, interruptions, damage, forgeries
//! - `whole_files`: `translate --file`
//! - `questions`: the answers of the page's questions, computed

mod bleu;
mod bootstrap;
mod chrf;
mod decoding;
mod limits;
mod own_words;
mod place;
mod program;
mod properties;
mod questions;
mod subwords;
mod survival;
mod whole_files;
