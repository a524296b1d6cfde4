//! The tests of the parallel corpus:
//!
//! - `agreement`: second grammars read every French and every English sentence
//! - `lexicon`: the tables of words
//! - `page`: what the appendix prints of the rules
//! - `parallel`: splits, alignments, what training has never shown

mod agreement;
mod lexicon;
mod page;
mod parallel;
