//! The chapter's program: pre-training on any text, and what a pre-trained model can be asked.
//!
//! | file | holds |
//! |---|---|
//! | `sizes` | what a model is made of, and what it takes |
//! | `corpus`, `windows` | texts as pieces, and which sentences make an example |
//! | `task`, `evaluate` | pre-training for the course's training loop, and what is held out |
//! | `pretrain`, `report` | a pre-training from beginning to end, and what it tells |
//! | `fill`, `embed`, `view` | what a model is asked afterwards |
//! | `recipe` | how a folder of *sentence-transformers* wants to be asked |
//! | `compare` | what the start and the order do, by several seeds |
//! | `bench` | how long a step takes |
//! | [`scaling`], `forecast` | how long it would take on many machines |
//! | `program` | the commands |

mod bench;
mod compare;
mod corpus;
mod embed;
mod evaluate;
mod fill;
mod folder;
mod forecast;
mod pretrain;
mod program;
mod recipe;
mod report;
pub mod scaling;
mod sizes;
mod task;
mod view;
mod windows;

pub use compare::{Comparison, Trained, Trainings, starts_figure};
pub use corpus::{Corpus, CorpusArgs, Part, special};
pub use embed::{Pooling, means};
pub use evaluate::{Held, Scores};
pub use fill::candidates;
pub use folder::{Model, OVERFLOWS, tell_unused};
pub use pretrain::{PretrainArgs, options, pretrain_model};
pub use program::program;
pub use sizes::{Preset, Sizes, reading_memory, training_memory};
pub use task::{PairsFirst, PretrainingTask, Share, decay, examples};
pub use windows::{Plan, Windows};
