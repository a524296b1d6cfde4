//! What may be wrong with input from outside.
//!
//! Mathematics panics when shapes do not fit: that is a mistake in the program. Files and arguments
//! come from people: whatever is wrong with them is said in one line that names file, line and
//! reason.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// An error a person can act on.
///
/// ```
/// use workbench::error::Error;
/// let error = Error::line("points.csv".as_ref(), 17, "column `y` is empty, a number is needed");
/// assert_eq!(error.to_string(), "points.csv:17: column `y` is empty, a number is needed");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A line of a file is not what it should be.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A file or folder as a whole cannot be used.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// An argument, or arguments together, make no sense.
    #[error("{0}")]
    Argument(String),
    /// Training met a number that is none.
    #[error("{0}")]
    Diverged(String),
    /// Somebody pressed Ctrl-C. An error, so that `?` leads out of the program.
    #[error("{0}")]
    Interrupted(String),
}

/// The exit code of a program that somebody interrupted: 128 and the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// The result of anything that touches the outside world.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of a file as a whole.
    pub fn file(path: &Path, reason: impl Display) -> Error {
        Error::File { path: path.to_owned(), reason: reason.to_string() }
    }

    /// An error in one line of a file.
    pub fn line(path: &Path, line: u64, reason: impl Display) -> Error {
        Error::Line { path: path.to_owned(), line, reason: reason.to_string() }
    }

    /// An error of the arguments.
    pub fn argument(reason: impl Display) -> Error {
        Error::Argument(reason.to_string())
    }
}
