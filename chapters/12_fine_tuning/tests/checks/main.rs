//! The tests of chapter 12.

mod classifier;
mod golden;
mod labels;
#[path = "../../../../chapters/programs/workbench/tests/line/mod.rs"]
mod line;
mod program;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod span;
mod support;
mod survival;
mod table;
