//! The chapter's program: pre-training on any text, and what a pre-trained model can be asked.
//!
//! | file or folder | holds |
//! |---|---|
//! | `sizes` | what a model is made of, and what memory it takes |
//! | `texts` | texts as pieces, and which sentences make an example |
//! | `pretraining` | a pre-training from beginning to end, and several of them compared |
//! | `asking` | what a model is asked afterwards |
//! | `speed` | how long a step takes, and would take on many machines |
//! | `commands` | the commands |

#![allow(missing_docs)] // an experiment: names say it

mod asking;
mod commands;
mod pretraining;
mod sizes;
mod speed;
mod texts;

pub use asking::{Model, OVERFLOWS, Pooling, candidates, means, must_fit_together, print_unused};
pub use commands::program;
pub use pretraining::{
    Beginning, Comparison, Held, NspFirst, PretrainArgs, PretrainingTask, Scores, Share, Trained,
    decay, options, pretrain_model, starts_figure,
};
pub use sizes::{Preset, Sizes, reading_memory, training_memory};
pub use speed::scaling;
pub use texts::{Corpus, CorpusArgs, Part, Plan, Windows, examples, special};
