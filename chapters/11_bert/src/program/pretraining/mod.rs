//! A pre-training from beginning to end.
//!
//! | file | holds |
//! |---|---|
//! | `beginning` | an initialisation and an order of this course's own |
//! | `task`, `held` | pre-training for the course's training loop, and what is held out |
//! | `arguments` | the command's arguments |
//! | `pretrain`, `report` | the command, and what it prints |

mod arguments;
mod beginning;
mod held;
mod pretrain;
mod report;
mod task;

pub use arguments::{PretrainArgs, options};
pub use beginning::{Beginning, NspFirst};
pub use held::{Held, Scores};
pub(super) use pretrain::pretrain;
pub use pretrain::pretrain_model;
pub use task::{PretrainingTask, Share, decay};
