//! The chapter's program: stories, generated or from files; training; a story of your own.
//!
//! | file | holds |
//! |---|---|
//! | `data` | stories as numbers, generated or read from files; the words |
//! | `task` | what the course's training loop trains |
//! | `judge` | how many answers are right, and where the supporting facts have the largest weight |
//! | `saved` | a trained network in its file |
//! | `show` | a story with the weight of every hop |
//! | `train`, `answer` | the commands of these names |
//! | `rows`, `compare`, `figures` | the page's comparison: rows, claims, pictures |
//! | `commands` | the commands |

#![allow(missing_docs)] // an experiment: names say it

mod answer;
mod commands;
mod compare;
mod data;
mod figures;
mod judge;
mod rows;
mod saved;
mod scaled;
mod show;
mod task;
mod train;

pub use answer::{AnswerArgs, answer, parse_told};
pub use commands::program;
pub use compare::{CLAIMS, comparison, study};
pub use data::{Example, Lexicon, generated, kin, known, side_by_side};
pub use figures::FIGURES;
pub use judge::{Found, judge};
pub use rows::{Config, Model, rows};
pub use saved::Saved;
pub use scaled::Scaled;
pub use show::{say_answer, weights};
pub use task::{BATCH, StoryTask, fit, options};
pub use train::{TrainArgs, train};
