//! The tests of chapter 13:
//!
//! - `data`: what is held out, and what is counted of it
//! - `files`: interactions in the layouts that people have, and what is refused
//! - `golden`: a model's numbers as PyTorch has them, measures as RecBole has them
//! - `models`: naive twins, orders, what a state may know
//! - `program`: what `train` and `recommend` refuse, and what they leave alone
//! - `questions`: the answers of the page's questions, computed
//! - `rulers`: ranks against sorting, ties included
//! - `survival`: a training that is killed, or runs on other threads

mod data;
mod files;
mod golden;
#[path = "../../../../chapters/programs/workbench/tests/line/mod.rs"]
mod line;
mod models;
mod program;
mod questions;
mod rulers;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod support;
mod survival;
