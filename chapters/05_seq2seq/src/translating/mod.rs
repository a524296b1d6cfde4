//! What every translator of the course shares around its model: texts, training, judging, drawing, a
//! program. Any model that is a [`Translator`](crate::Translator) fits, recurrent or not; a [`Chapter`] says what is its
//! own.
//!
//! | folder | holds |
//! |---|---|
//! | [`corpus`] | texts as words and numbers |
//! | `training` | how a model is built and trained |
//! | [`judge`] | how good it is |
//! | `drawing` | where it looked |
//! | `program` | the commands that chapters 5, 6, 7 and 10 share |

#![allow(missing_docs)] // a program: names say it

pub mod corpus;
mod drawing;
pub mod judge;
mod program;
mod training;

pub use corpus::Words;
pub use drawing::draw;
pub use drawing::look::{Kind, Look};
pub use program::report::{Example, alignment_figure, example};
pub use program::saved::{SavedTranslator, load};
pub use training::chapter::{Chapter, Description, Heads, Trained, Workload};
pub use training::recurrent;
pub use training::task::TranslationTask;
