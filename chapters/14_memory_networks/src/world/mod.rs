//! Who went where with what: stories of some lines, a question about each, and the lines that the
//! answer follows from.
//!
//! ```text
//! anna took the apple. paul went to the cellar. anna ran to the garden.
//! where is the apple?  garden: anna took it, and ran there
//! ```
//!
//! | task | asks | supporting facts, in the order of reasoning |
//! |---|---|---|
//! | one fact | where is anna | her last move |
//! | two facts | where is the apple | who took it or left it, that person's move |
//! | three facts | where was the apple before the hall | who has it, the move to the hall, the move before |
//! | yes or no | is anna in the hall | her last move |
//! | counting | how many things does anna carry | all that she took and left |
//! | names | where is anna, after *anna and paul went to the hall* | the last move that names her |
//! | time | where was anna before the hall, lines in any order | when she was there, where she was before |
//!
//! The tasks follow those of Weston et al. (2015, *Towards AI-complete question answering*), in a world
//! of our own. [`kin`] asks about facts that do not change.

#![allow(missing_docs)] // what stands beside a name says it

pub mod kin;
mod names;
mod questions;
mod story;

pub use names::{NUMBERS, PEOPLE, PLACES, THINGS, TIMES, Task};
