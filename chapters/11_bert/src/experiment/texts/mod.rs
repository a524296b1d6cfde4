//! Texts as pieces, and which sentences make an example.

mod corpus;
mod examples;
mod windows;

pub use corpus::{Corpus, CorpusArgs, Part, special};
pub(super) use corpus::{NUMBERS, counted};
pub use examples::examples;
pub use windows::{Plan, Windows};
