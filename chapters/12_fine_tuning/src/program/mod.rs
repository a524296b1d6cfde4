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
//! | `rows`, `compare`, `results`, `claims`, `figures` | pre-trained, from scratch, frozen: the page's comparison |
//! | `spans` | the same of answers that are a part of a passage |
//! | `commands` | the commands |

#![allow(missing_docs)] // an experiment: names say it

mod baselines;
mod claims;
mod commands;
mod compare;
mod data;
mod figures;
mod folder;
mod judge;
mod labels;
mod predict;
mod reader;
mod results;
mod rows;
mod spans;
mod table;
mod task;
mod train;
mod tuning;

pub use baselines::{bag_of_words, majority, words_in_common};
pub use claims::claims;
pub use commands::program;
pub use compare::{CompareArgs, compare};
pub use data::{Data, DataArgs, Example, Task, read_data};
pub use figures::figures;
pub use folder::{Encoder, Tuned, read_pretrained};
pub use judge::{Answer, Tally, accuracy, answers, loss_and_accuracy, tallies};
pub use labels::labels_of;
pub use predict::{PredictArgs, predict};
pub use reader::{ReadExamples, Reader};
pub use results::{Measured, OfTask, Results, Row as Scores, Score, Tested};
pub use rows::{EXAMPLES, Plan, Way, epochs};
pub use spans::{SpansArgs, span_claims, spans};
pub use table::{Form, Row, Table, read_table};
pub use task::TuningTask;
pub use train::{TrainArgs, train};
pub use tuning::{BATCH, EPOCHS, Start, begin, options, rate, tune};
