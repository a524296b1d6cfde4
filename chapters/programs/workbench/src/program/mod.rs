//! What the chapters' programs have in common: arguments, an output folder, a table, an exit code.

mod arguments;
mod bar;
mod commands;
mod output;
mod precision;
mod session;
mod side_by_side;
mod table;
mod terminal;
mod threads;

pub use arguments::{
    Common, TrainingArgs, parse, parse_command, positive, with_negative_numbers, within,
};
pub(crate) use bar::bar;
pub use bar::{progress, progress_in_bytes};
pub use commands::train_or;
pub use output::Output;
pub use precision::PrecisionArgs;
pub use session::Session;
pub use side_by_side::{Progress, side_by_side, trainings};
pub use table::{Table, columns, padded};
pub use terminal::{counted, end, printable, run, say, say_aside};
pub use threads::refused;
