//! The tests of the texts:
//!
//! - `page`: what the book prints of pieces
//! - `pairs`: files of pairs, and what is wrong with them
//! - `store`: a corpus as numbers on the disk
//! - `stories`: files of stories, and what is wrong with them
//! - `subwords`: byte-pair encoding against the paper's algorithm, letter by letter
//! - `texts`: plain text of any size as documents of sentences
//! - `text`: what holds for every line, every file and every set of lengths
//! - `word_piece`: pieces against golden values, the library and their own files

mod page;
mod pairs;
mod store;
mod stories;
mod subwords;
mod text;
mod texts;
mod word_piece;
