//! The tests of chapter 14:
//!
//! - `comparison`: the recorded numbers, their claims and figures
//! - `golden`: both networks against PyTorch, forward and backward
//! - `guesses`: what is right without following the facts
//! - `properties`: hops against the formula in loops, the order of sentences and of words, a linear start
//! - `program`: training on files, what is refused, a story of the reader's own
//! - `survival`: a training that is killed, or runs on other threads
//! - `questions`: the answers of the page's questions, computed

mod comparison;
mod golden;
mod guesses;
#[path = "../../../../shared/workbench/tests/line/mod.rs"]
mod line;
mod program;
mod properties;
mod questions;
#[path = "../../../../shared/workbench/tests/stuck/runs.rs"]
mod runs;
mod survival;
