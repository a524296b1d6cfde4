//! The tests of the worlds:
//!
//! - `agreement`: second grammars read every French and every English sentence
//! - `documents`: stories, their splits and tasks
//! - `lexicon`: the tables of words
//! - `page`: what the appendix prints of the rules
//! - `parallel`: splits, alignments, what training has never shown

mod agreement;
mod documents;
mod lexicon;
mod page;
mod parallel;
