//! Texts as pieces, and which sentences make an example.

mod corpus;
mod examples;
mod windows;

pub(super) use corpus::NUMBERS;
pub use corpus::{Corpus, CorpusArgs, Part, special};
pub use examples::examples;
pub use windows::{Plan, Windows};
