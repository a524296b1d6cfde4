//! The chapter's program: fine-tuning on generated tasks or on files, and what a tuned model is asked.
//!
//! | file | holds |
//! |---|---|
//! | `table`, `labels` | files of examples, checked line by line; the names of classes |
//! | `data` | generated tasks, and tasks of files |
//! | `reader` | from texts to pieces |
//! | `folder` | encoders and classifiers in the folders of *transformers* |
//! | `task`, `tuning` | fine-tuning for the course's training loop, from beginning to end |
//! | `judge`, `baselines` | how much of what is predicted is right; what needs no network |
//! | `train`, `predict` | the commands of these names |
//! | `commands` | the commands |

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
pub use data::{Data, DataArgs, Example, Task, read_data};
pub use folder::{Encoder, Tuned, read_pretrained};
pub use judge::{Answer, Tally, accuracy, answers, classes, loss_and_accuracy, tallies};
pub use labels::labels_of;
pub use predict::{PredictArgs, predict};
pub use reader::{ReadExamples, Reader};
pub use table::{Form, Row, Table, read_table};
pub use task::TuningTask;
pub use train::{TrainArgs, train};
pub use tuning::{BATCH, EPOCHS, Start, begin, drawn, options, rate, tune};
