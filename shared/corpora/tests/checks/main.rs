//! The tests of the texts:
//!
//! - `agreement`: second grammars read every French and every English sentence
//! - `documents`: stories, their splits and tasks
//! - `lexicon`: the tables of words
//! - `page`: what the appendix prints of the rules
//! - `parallel`: splits, alignments, what training has never shown
//! - `store`: a corpus as numbers on the disk, and every damage to it
//! - `subwords`: byte-pair encoding against the paper's algorithm, letter by letter
//! - `texts`: plain text of any size as documents of sentences
//! - `text`: what holds for every line, every file and every set of lengths
//! - `word_piece`: pieces against golden values, the library and their own files

mod agreement;
mod documents;
mod lexicon;
mod page;
mod parallel;
mod store;
mod subwords;
mod text;
mod texts;
mod word_piece;
