//! A pre-training from beginning to end.

mod arguments;
mod beginning;
mod held;
mod pretrain;
mod report;
mod task;

pub(super) use arguments::PretrainArgs;
pub use arguments::options;
pub use beginning::{Beginning, NspFirst};
pub use held::{Held, Scores};
pub(super) use pretrain::pretrain;
pub use pretrain::pretrain_model;
pub use task::{PretrainingTask, decay};
