//! How a translator is built and trained.
//!
//! | file | holds |
//! |---|---|
//! | `chapter` | a chapter's translators as a value; a training from beginning to end |
//! | `task` | translation as a task for the training loop |
//! | `recurrent` | what the translators of chapters 5 to 7 have in common |

pub mod chapter;
pub mod recurrent;
pub mod task;
