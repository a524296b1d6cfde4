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
//! | `commands` | the commands |

#![allow(missing_docs)] // a program: names say it

mod answer;
mod commands;
mod data;
mod judge;
mod saved;
mod show;
mod task;
mod train;

pub use answer::{AnswerArgs, answer, tell};
pub use commands::program;
pub use data::{Example, Lexicon, generated, known, side_by_side};
pub use judge::{Found, judge};
pub use saved::Saved;
pub use show::{say_answer, weights};
pub use task::{BATCH, LINEAR, MEMORY, StoryTask, WIDTH, fit, options};
pub use train::{TrainArgs, train};
