//! The tests of chapter 14:
//!
//! - `golden`: both networks against PyTorch, forward and backward
//! - `guesses`: what is right without following the facts
//! - `properties`: hops against the formula in loops, the order of sentences and of words, a linear start
//! - `program`: training on files, what is refused, a story of the reader's own
//! - `survival`: a training that is killed, or runs on other threads
//! - `rooms`: a second reader finds the answers of stories
//! - `questions`: the answers of the page's questions, computed

mod golden;
mod guesses;
#[path = "../../../../chapters/programs/workbench/tests/line/mod.rs"]
mod line;
mod program;
mod properties;
mod questions;
mod rooms;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod survival;
