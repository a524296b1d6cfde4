//! The commands: `train`, `translate` (of a sentence, of a file) and `bench` in files of their names.
//!
//! | file | holds |
//! |---|---|
//! | `commands` | arguments, and which command they ask for |
//! | `report` | what a training prints, draws and writes |
//! | `saved` | a model in its folder, with its words |

mod bench;
mod commands;
pub mod report;
pub mod saved;
mod train;
mod translate;
mod translate_file;
