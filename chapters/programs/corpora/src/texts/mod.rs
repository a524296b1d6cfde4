//! Plain text of any size: files, documents, sentences.
//!
//! ```text
//! FOLDER/a.txt, FOLDER/b/c.tokens      files            [`Texts`]
//! 64 KiB of a file, checked            fragments        `fragments`
//! headings, blank lines or lines       layout           `layout`
//! "It rained. Mr. Day stayed in."      sentences        `sentences`
//! one document after another           [`Documents`]
//! ```
//!
//! No more than one document is held at a time, and no document is longer than [`MAX_DOCUMENT`]:
//! a file of a gibibyte takes no more memory than one of a megabyte, even if it is a single line.

mod files;
mod fragments;
mod layout;
mod reader;
mod sentences;

pub use files::{Documents, Texts};
pub use layout::Layout;
pub use reader::{MAX_DOCUMENT, MAX_SENTENCE};
pub use sentences::split_sentences;

/// Sentences that belong together, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Document {
    /// The sentences; none of them is empty.
    pub sentences: Vec<String>,
}
