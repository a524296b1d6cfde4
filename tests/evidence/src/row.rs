//! The rows of a comparison.

use serde::Serialize;

/// What is trained and judged with every seed.
#[derive(Clone, Debug, Serialize)]
pub struct Row<C> {
    /// Its name in the record.
    pub name: String,
    /// All that makes it what it is.
    pub config: C,
    /// Passes over the data, for the progress bar.
    pub epochs: usize,
}

impl<C> Row<C> {
    /// A row in one pass.
    pub fn new(name: impl Into<String>, config: C) -> Row<C> {
        Row { name: name.into(), config, epochs: 1 }
    }
}
