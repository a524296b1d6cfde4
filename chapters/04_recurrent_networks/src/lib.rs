//! What can a network remember of a sequence it reads word by word?
//!
//! A recurrent network keeps one vector, its *state* `h`, and changes it at every token by the
//! same function:
//!
//! ```text
//! h_t = f(x_t, h_{t−1})
//! ```
//!
//! A column is a token. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `I`, `H` | entries of an input; of a state |
//! | `B`, `B_t` | sequences in a batch; those longer than `t` |
//! | `T`, `N` | steps of the longest sequence; tokens of all sequences |
//! | `g` | gates of a cell: 1 (plain), 3 (GRU), 4 (LSTM) |
//!
//! | module | holds |
//! |---|---|
//! | [`steps`] | a batch of sequences packed step by step, without padding |
//! | [`cells`] | the formulas of the three cells, one step at a time, as tape operations |
//! | [`layers`] | the same over whole sequences as one operation, backward through time by hand |
//! | [`through_time`] | backward through time as it is derived, one sequence at a time |
//! | [`bidirectional`], [`stack`] | two directions; several layers |
//! | [`language`] | words in, words out: a network that writes |
//! | [`ngrams`] | what it has to beat: counts of words, pairs and triples |
//! | [`adding`], [`flow`] | the adding problem; how a gradient fades on its way back |

pub mod adding;
pub mod bidirectional;
pub mod cells;
pub mod flow;
pub mod language;
pub mod layers;
pub mod ngrams;
#[cfg(feature = "program")]
pub mod program;
pub mod stack;
pub mod steps;
pub mod through_time;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as recurrent_networks;

pub use bidirectional::Bidirectional;
pub use cells::{Gates, State};
pub use language::{LanguageModel, draw};
pub use layers::{Gru, Inputs, Lstm, Recurrent, Rnn, Weights};
pub use stack::Stack;
pub use steps::{Direction, Steps};
