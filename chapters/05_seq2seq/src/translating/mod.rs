//! What every translator of the course shares around its model: texts, training, judging, drawing, a
//! program. Any model that is a [`Translator`](crate::Translator) fits, recurrent or not; its sizes,
//! options and schedule are its chapter's own ([`Recipe`]).
//!
//! | file | holds |
//! |---|---|
//! | [`corpus`], `task` | texts as words and numbers; translation as a task for the training loop |
//! | [`judge`], [`draw`] | what a model is worth, and where it looked |
//! | `look`, `view` | every head of a model in one page |
//! | `recipe`, [`count`], `memory` | what a chapter says of its model; how large it is and what its training takes |
//! | `program` | the commands: `train`, `translate` (of a sentence, of a file) and `bench` in files of their names, `compare` in the chapters |
//! | `bench_writing` | how fast translations are written, for `bench` |
//! | `report` | what a training prints, draws and writes |
//! | `training`, `saved` | a training from beginning to end, and what it leaves |
//! | [`compared`] | several models in one chart |
//! | `runs`, `spreads`, `quick` | several trainings side by side, and their numbers |
//! | [`recurrent`] | what the recurrent translators of chapters 5 to 7 have in common |

mod bench;
mod bench_writing;
pub mod compared;
pub mod corpus;
pub mod count;
pub mod draw;
pub mod judge;
mod look;
mod memory;
mod program;
mod quick;
mod recipe;
pub mod recurrent;
mod report;
mod runs;
mod saved;
mod spreads;
mod task;
mod train;
mod training;
mod translate;
mod translate_file;
mod view;

pub use look::{Kind, Look};
pub use program::main;
pub use quick::{Quick, quick};
pub use recipe::{Recipe, Words, Workload};
pub use report::{Example, alignment_figure, example};
pub use runs::{Repeated, train_counted};
pub use saved::SavedTranslator;
pub use spreads::{LengthSpread, PartScores, Repetitions, differences};
pub use task::TranslationTask;
pub use train::TrainArgs;
pub use training::{TrainedTranslator, train_model};
