//! What programs need: everything that touches a file, a terminal, a clock or a signal.
//!
//! | module | holds |
//! |---|---|
//! | [`training`] | the one training loop: schedules, evaluation, progress, checkpoints that survive a kill |
//! | [`parameters`] | a model's parameters in files that other libraries read, and in files of theirs |
//! | [`program`] | arguments, an output folder, tables, exit codes |
//! | [`figure`] | charts and heatmaps as SVG |
//! | [`files`], [`folders`], [`error`] | files from outside, and what may be wrong with them |
//! | [`memory`] | how much there is, and how much is used |
//! | [`hold`] | one program at a time in a folder |
//! | [`statistics`] | numbers over seeds and sentences: spreads, intervals |
//! | `fingerprint`, [`stream`] | a short name for data; seeds of a run's parts |
//! | [`steps`] | how long a training step takes, and what share of the machine that is |
//! | [`viewer`] | every head of a model in one page of HTML |
//!
//! The mathematics stands in `shared`, which knows none of this.

pub mod error;
pub mod figure;
pub mod files;
mod fingerprint;
pub mod folders;
pub mod hold;
pub mod memory;
pub mod parameters;
pub mod program;
pub mod statistics;
pub mod steps;
mod stream;
pub mod training;
pub mod viewer;

pub use fingerprint::{Fingerprint, fingerprint};
pub use stream::stream;
