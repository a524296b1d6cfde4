//! The tests of the texts:
//!
//! - `agreement`: a second grammar reads every French sentence
//! - `lexicon`: the tables of words
//! - `page`: what the appendix prints of the rules
//! - `parallel`: splits, alignments, what training has never shown
//! - `subwords`: byte-pair encoding against the paper's algorithm, letter by letter
//! - `text`: what holds for every line, every file and every set of lengths

mod agreement;
mod french;
mod lexicon;
mod page;
mod parallel;
mod subwords;
mod text;
