//! The tests of chapter 15:
//!
//! - `convolution`: the product against a naive convolution, on any picture
//! - `golden`: the whole model against PyTorch, with all gradients
//! - `hard`: what drawn places make of the loss
//! - `pictures`: files of a reader's own, good and bad
//! - `questions`: the answers of the page's questions, computed
//! - `scenes`: masks, places and captions of the generator
//! - `survival`: a training that is killed, or runs on other threads

mod convolution;
mod golden;
mod hard;
mod pictures;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod scenes;
mod survival;
