//! Texts as pieces, and which sentences make an example.

mod corpus;
mod examples;
mod windows;

pub use corpus::{Corpus, Part, special};
pub(super) use corpus::{CorpusArgs, NUMBERS};
pub use examples::examples;
pub use windows::{Plan, Windows};
