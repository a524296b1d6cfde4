//! English and French, sentence by sentence, with the words that translate each other.
//!
//! A grammar written for this course makes a tree of what is to be said ([`tree`]), at random
//! ([`sample`]), with the words of a small lexicon ([`lexicon`]). One set of rules says it in both
//! languages at once, so that every pair knows which word translates which. The rules are explained
//! in the book's appendix *The parallel corpus*.
//!
//! ```
//! use parallel::{Sizes, splits};
//! let sizes = Sizes { train: 2, validation: 1, test: 1, long: 1, compositional: 1 };
//! for pair in splits(&sizes, 1).train {
//!     println!("{} → {}", pair.source.join(" "), pair.target.join(" "));
//! }
//! ```

mod combinations;
mod english;
mod examples;
mod features;
pub mod lexicon;
mod phrase;
mod reader;
mod render;
mod sample;
mod splits;
pub mod tree;

pub use combinations::Combination;
pub use english::English;
pub use examples::{EXAMPLES, examples};
pub use sample::sample;
pub use splits::{LONGEST, LONGEST_TRAINED, Sizes, Splits, splits};
