//! The tests of chapter 11:
//!
//! - `asking`: what a trained model is asked, and what is refused
//! - `config`: `config.json` of transformers, read and refused
//! - `damaged`: checkpoints that were cut, or that lie about sizes
//! - `encoder`: parameters counted, who sees whom in a batch
//! - `golden`: a checkpoint of transformers, its results and gradients
//! - `interchange`: the spellings and parts of checkpoints, and what is refused
//! - `judging`: what is counted of masked tokens and of pairs
//! - `masking`: what is masked, counted
//! - `order`: NSP first
//! - `pretraining`: from a text to a model, and what is refused
//! - `survival`: a training that is killed, or runs on other threads
//! - `windows`: which sentences make an example, and the loss of a batch
//! - `documents`, `tasks`: stories and their splits; labels and examples
//! - `questions`: the answers of the page's questions, computed

mod asking;
mod config;
mod damaged;
mod documents;
mod encoder;
mod golden;
mod interchange;
mod judging;
mod masking;
mod order;
mod place;
mod pretraining;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/stuck/runs.rs"]
mod runs;
mod support;
mod survival;
mod tasks;
mod windows;

#[global_allocator]
static ALLOCATOR: tests::memory::Counting = tests::memory::Counting;
