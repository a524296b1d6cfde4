//! Texts: from lines of a file to words, from words to numbers, and batches.
//!
//! ```text
//! It's Paul's.⇥C'est à Paul.      a line of a file                [`read_pairs`]
//! it 's paul 's .                 its words                       [`tokenize`], back: [`detokenize`]; others: [`Tokenizer`]
//! 14 9 0 9 3 2                    their numbers, closed by END    [`Vocabulary`], [`Sentences`]
//! "it " "'s " "pa" "ul " …        or pieces of words              [`Vocabulary::of_pieces`]
//! ```
//!
//! For models of running text there are files of any size as documents of sentences ([`texts`]), their
//! words in pieces as BERT cuts them ([`word_piece`]) or GPT-2 ([`BytePieces`]), and all of it as numbers on the disk ([`store`]).
//!
//! Stories with questions in them are in [`stories`].
//!
//! There is no padding and no word for it: [`bucketed_batches`] puts sentences of about the same
//! length together, and a layer leaves those that have ended out of its further steps.

mod batches;
mod byte_pieces;
mod exact;
mod pair_columns;
mod pairs;
mod split;
pub mod store;
pub mod stories;
mod subwords;
pub mod texts;
mod tokenizer;
mod tokens;
mod vocabulary;
pub mod word_piece;

pub use batches::bucketed_batches;
pub use byte_pieces::BytePieces;
pub use pairs::{Pairs, Reading, read_pairs, read_whole};
pub use split::{Split, hold_out, split};
pub use store::Store;
pub use stories::{Question, Story, read_stories};
pub use subwords::Merge;
pub use texts::{Document, Texts};
pub use tokenizer::Tokenizer;
pub use tokens::{detokenize, tokenize};
pub use vocabulary::{BEGIN, END, Sentences, UNKNOWN, Vocabulary};
pub use word_piece::WordPiece;
pub use workbench::files::{lines_of_input, read_lines};

/// A sentence and its translation, as words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The words to translate.
    pub source: Vec<String>,
    /// Their translation.
    pub target: Vec<String>,
    /// Which word translates which, where somebody knows.
    pub alignment: Option<Alignment>,
    /// The translation as a file has it, in its own capitals, blanks and marks.
    pub written: Option<String>,
}

/// Which words translate which: links (place in the source, place in the target), counted from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The links nobody would dispute.
    pub sure: Vec<(usize, usize)>,
    /// Further links that are as good as their absence, such as that of an article which one of
    /// the two languages lacks.
    pub possible: Vec<(usize, usize)>,
}
