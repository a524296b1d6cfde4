//! How a translator is built and trained.
//!
//! | file | holds |
//! |---|---|
//! | `chapter` | a chapter's translators as a value; a training from beginning to end |
//! | `count`, `memory` | how large a model is, and what its training takes, before it is built |
//! | `task` | translation as a task for the training loop |
//! | `recurrent` | what the translators of chapters 5 to 7 have in common |

pub mod chapter;
pub mod count;
pub mod memory;
pub mod recurrent;
pub mod task;
