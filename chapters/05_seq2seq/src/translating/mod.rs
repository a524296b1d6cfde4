//! What every translator of the course shares around its model: texts, training, judging, drawing, a
//! program. Any model that is a [`Translator`](crate::Translator) fits, recurrent or not; its sizes,
//! options and schedule are its chapter's own ([`Recipe`]).
//!
//! | folder | holds |
//! |---|---|
//! | [`corpus`] | texts as words and numbers |
//! | `training` | how a model is built and trained |
//! | `judging` | what it is worth, with one seed and with several |
//! | `drawing` | where it looked, and several models in one chart |
//! | `program` | the commands that chapters 5, 6, 7 and 10 share |

#![allow(missing_docs)] // programs and experiments: names say it

pub mod corpus;
mod drawing;
mod judging;
mod program;
mod training;

pub use drawing::look::{Kind, Look};
pub use drawing::{compared, draw};
pub use judging::judge;
pub use judging::scores::{Curve, LengthSpread, ModelScores, PartScores, Repetitions, differences};
pub use program::commands::main;
pub use program::report::{Example, alignment_figure, example};
pub use program::saved::SavedTranslator;
pub use program::train::TrainArgs;
pub use training::memory::training_memory;
pub use training::quick::{Quick, quick};
pub use training::recipe::{Benched, Recipe, Words, Workload};
pub use training::rows::{Judgement, Repeated, Trained, Training};
pub use training::task::TranslationTask;
pub use training::whole::{TrainedTranslator, train_model};
pub use training::{count, recurrent};
