//! What the chapters' programs have in common: arguments, an output folder, a table, an exit code.

mod arguments;
mod output;
mod table;
mod terminal;

pub use arguments::{Common, TrainingArgs};
pub use output::Output;
pub use table::Table;
pub use terminal::{peak_memory, progress, run, say};
