//! The tests of chapter 16:
//!
//! - `answers`: answers that are drawn and rewarded
//! - `arguments`: what a reader may write wrong
//! - `copying`: sequences that repeat, and heads that copy them by construction
//! - `experts`: a mixture against a naive one
//! - `golden`: a model with the block of today against PyTorch, with all gradients; GPT-2's folder
//! - `questions`: the answers of the page's questions, computed
//! - `sampling`: temperature, top-k and top-p against a naive implementation
//! - `survival`: a training that is killed, or runs on other threads
//! - `world`: probabilities of the next word, and that all answers are true
//! - `writing`: causal bits; one word further as all at once

mod answers;
mod arguments;
mod copying;
mod experts;
mod golden;

#[path = "../../../../chapters/programs/workbench/tests/line/mod.rs"]
mod line;

mod questions;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod sampling;
mod survival;
mod world;
mod writing;
