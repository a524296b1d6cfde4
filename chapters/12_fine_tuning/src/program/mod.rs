//! The chapter's program: fine-tuning on generated tasks or on files, and what a tuned model is asked.

#![allow(missing_docs)] // a program: names say it

mod baselines;
mod commands;
mod data;
mod folder;
mod judge;
mod labels;
mod predict;
mod reader;
mod table;
mod task;
mod train;
mod tuning;

pub use baselines::{bag_of_words, majority, words_in_common};
pub use commands::program;
pub use data::{Data, Example, Task, read_data};
pub use folder::{Encoder, Tuned, read_pretrained};
pub use judge::{accuracy, answers, classes, loss_and_accuracy, tallies};
pub use labels::labels_of;
pub use predict::predict;
pub use reader::{ReadExamples, Reader};
pub use table::{Form, read_table};
pub use task::TuningTask;
pub use train::train;
pub use tuning::{BATCH, Learns, Start, begin, drawn, options, tune};
