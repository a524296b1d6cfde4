//! The chapter's program: pre-training on any text, and what a pre-trained model can be asked.
//!
//! | file or folder | holds |
//! |---|---|
//! | `sizes` | what a model is made of, and what memory it takes |
//! | `texts` | texts as pieces, and which sentences make an example |
//! | `pretraining` | a pre-training from beginning to end |
//! | `asking` | what a model is asked afterwards |
//! | `bench` | how long a step takes |
//! | `commands` | the commands |

#![allow(missing_docs)] // a program: names say it

mod asking;
mod bench;
mod commands;
mod pretraining;
mod sizes;
mod texts;

pub use asking::{Model, OVERFLOWS, Pooling, candidates, means, must_fit_together, print_unused};
pub use commands::program;
pub use pretraining::{
    Beginning, Held, NspFirst, PretrainArgs, PretrainingTask, Scores, Share, decay, options,
    pretrain_model,
};
pub use sizes::{Preset, Sizes, reading_memory, training_memory};
pub use texts::{Corpus, CorpusArgs, Part, Plan, Windows, examples, special};
