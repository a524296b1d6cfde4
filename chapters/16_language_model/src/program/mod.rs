//! The chapter's program: trains on the world's texts or on a file, and writes.
//!
//! | file | holds |
//! |---|---|
//! | `corpus` | a file of text, read byte by byte where it is needed |
//! | `source` | where texts come from, and what their words are called |
//! | `training` | a model trained on windows of a source |
//! | `ladder` | what simpler models make of the same texts |
//! | `saved` | the model's file |
//! | `gpt2` | a folder of GPT-2, from the library *transformers* |
//! | `train`, `write`, `view` | the commands of these names |
//! | `bench` | how long a training step takes |
//! | `commands` | the commands |

#![allow(missing_docs)] // a program: names say it

mod bench;
mod commands;
mod corpus;
mod gpt2;
mod ladder;
mod saved;
mod source;
mod train;
mod training;
mod view;
mod write;

pub use commands::program;
pub use corpus::Corpus;
pub use ladder::{Ladder, ladder};
pub use saved::{load, save};
pub use source::{Source, Spelling, Words};
pub use train::{CompareArgs, TrainArgs, compare, lstm, train};
pub use training::{EPOCHS, Lstm, NextWord, fit, mean_nats, options, right_answers, windows};
pub use view::{ViewArgs, view};
pub use write::{WriteArgs, Writer, write};
