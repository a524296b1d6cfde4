//! A pre-training from beginning to end, and several of them compared.
//!
//! | file | holds |
//! |---|---|
//! | `beginning` | an initialisation and an order of this course's own |
//! | `task`, `held` | pre-training for the course's training loop, and what is held out |
//! | `arguments` | the command's arguments |
//! | `pretrain`, `report` | the command, and what it prints |
//! | `compare` | what the initialisation and the order do, by several seeds |

mod arguments;
mod beginning;
mod compare;
mod held;
mod pretrain;
mod report;
mod task;

pub use arguments::{PretrainArgs, options};
pub use beginning::{Beginning, NspFirst};
pub(super) use compare::{CompareArgs, compare};
pub use compare::{Comparison, Trained, starts_figure};
pub use held::{Held, Scores};
pub(super) use pretrain::pretrain;
pub use pretrain::pretrain_model;
pub use task::{PretrainingTask, Share, decay};
