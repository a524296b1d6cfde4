//! The tests of chapter 11.

mod asking;
mod config;
mod damaged;
mod documents;
mod encoder;
mod golden;
mod interchange;
mod judging;
mod masking;
mod place;
mod pretraining;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod support;
mod survival;
mod tasks;
mod windows;

#[global_allocator]
static ALLOCATOR: tests::memory::Counting = tests::memory::Counting;
