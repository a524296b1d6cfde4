//! How a translator is built and trained.
//!
//! | file | holds |
//! |---|---|
//! | `recipe` | what a chapter says of its model |
//! | `count`, `memory` | how large a model is, and what its training takes, before it is built |
//! | `task`, `whole` | translation as a task for the training loop; a training from beginning to end |
//! | `recurrent`, `schedule` | what the translators of chapters 5 to 7 have in common; how they are trained |
//! | `rows`, `quick` | a training of a comparison, judged; one of seconds, for tests |

pub mod count;
pub mod memory;
pub mod quick;
pub mod recipe;
pub mod recurrent;
pub mod rows;
pub mod schedule;
pub mod task;
pub mod whole;
