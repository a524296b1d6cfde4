//! The tests of chapter 12:
//!
//! - `classifier`: what is trained and what stays, memory for eight examples
//! - `golden`: classifiers of transformers, read and asked
//! - `labels`: the order of classes
//! - `program`: from a file of examples to a file of answers; what is refused
//! - `span`: answers that are marked in a passage
//! - `survival`: a training that is killed, or runs on other threads
//! - `table`: files of examples, of any content
//! - `questions`: the answers of the page's questions, computed

mod classifier;
mod golden;
mod labels;
#[path = "../../../../chapters/programs/workbench/tests/line/mod.rs"]
mod line;
mod program;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/stuck/runs.rs"]
mod runs;
mod span;
mod support;
mod survival;
mod table;
