//! The chapter's program: pre-training on any text, and what a pre-trained model can be asked.
//!
//! | file or folder | holds |
//! |---|---|
//! | `texts` | texts as pieces, and which sentences make an example |
//! | `pretraining` | a pre-training from beginning to end |
//! | `asking` | what a model is asked afterwards |

#![allow(missing_docs)] // a program: names say it

mod asking;
mod bench;
mod commands;
mod pretraining;
mod sizes;
mod texts;

pub use asking::{OVERFLOWS, must_fit_together, print_unused};
pub use commands::program;
pub use pretraining::{
    Beginning, Held, NspFirst, PretrainingTask, Scores, decay, options, pretrain_model,
};
pub use sizes::{Preset, reading_memory};
pub use texts::{Corpus, Part, Plan, Windows, examples, special};
