//! A corpus as numbers, of which any sentence can be read at once, from the disk or from memory.
//!
//! A text is cut into pieces once, and a model that draws its sentences at random reads it as often
//! as it likes. In memory there is no more than where each sentence and each document ends.
//!
//! ```text
//! corpora1  vocabulary  sizes     64 bytes           `header`
//! pieces of all sentences         2 or 4 bytes each  by the size of the vocabulary
//! ends of sentences               8 bytes each       counted in pieces
//! ends of documents               4 bytes each       counted in sentences
//! sum                             16 bytes           over all that stands before: `blocks`
//! ```
//!
//! Numbers are little-endian.

mod access;
mod blocks;
mod encode;
mod files;
mod header;

pub use access::Store;
