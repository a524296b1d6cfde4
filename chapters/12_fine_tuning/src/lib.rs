//! How little has to be learnt anew?
//!
//! Fine-tuning (Devlin et al. 2019, section 4): an encoder that has read much, one new layer on top,
//! and a few labelled examples. A column is a token; sequences lie side by side, without padding.
//! Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n` | pieces, all sequences together |
//! | `d` | entries of a token |
//! | `m` | tokens that are asked: one a sequence, or one a word |
//! | `K` | classes |
//!
//! | module | holds |
//! |---|---|
//! | [`questions`] | what is read, and which of its tokens are asked |
//! | [`words`] | the first pieces of words, and texts that are too long |
//! | [`classifier`] | the model: an encoder, and one layer on top |
//! | [`lora`] | what a task adds to a frozen matrix, of a low rank |
//! | [`span`] | the same where the answer is a part of a passage |
//! | [`counting`] | what counting knows: naive Bayes, and the words that two texts have in common |
//! | `program` | the program; with the feature `program` |

pub mod classifier;
pub mod counting;
pub mod lora;
#[cfg(feature = "program")]
pub mod program;
pub mod questions;
pub mod span;
pub mod words;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as fine_tuning;

pub use classifier::{Asks, Classifier};
pub use counting::{NaiveBayes, WordsInCommon, most_frequent};
pub use lora::Lora;
pub use questions::Questions;
pub use span::{SpanReader, Spans, best_span};
pub use words::{read_words, windows};
