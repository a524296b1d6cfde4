//! The tests of the worlds:
//!
//! - `agreement`: second grammars read every French and every English sentence
//! - `documents`: stories and their splits
//! - `lexicon`: the tables of words
//! - `page`: what the appendix prints of the rules
//! - `parallel`: splits, alignments, what training has never shown
//! - `rooms`: a second reader finds the answers of stories
//! - `tasks`: labels, and what counting words says of them

mod agreement;
mod documents;
mod lexicon;
mod page;
mod parallel;
mod rooms;
mod tasks;
