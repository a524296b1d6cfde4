//! The chapter's program: captions of generated scenes, and of a reader's own pictures.
//!
//! | file | holds |
//! |---|---|
//! | `data` | scenes as pairs of pixels and words; pictures from files |
//! | `training` | a model trained on fresh scenes |
//! | `judge` | exact captions, BLEU, and where the weights lie |
//! | `draw` | a picture under its weights, word by word |
//! | `saved` | the model's file |
//! | `train`, `caption` | the commands of these names |
//! | `commands` | the commands |

#![allow(missing_docs)] // a program: names say it

mod caption;
mod commands;
mod data;
mod draw;
mod judge;
mod saved;
mod train;
mod training;

pub use caption::{CaptionArgs, caption};
pub use commands::program;
pub use data::{VOCABULARY, batch, picture, read_picture, scenes, spoken, words};
pub use draw::{figure, in_terminal};
pub use judge::{Pointing, captions, exact, forced, pointing, references, tests};
pub use saved::{load, save};
pub use train::train;
pub use training::{EPOCHS, FreshScenes, fit, options};
