//! Which columns of a file of pairs are sentence and translation.

use std::path::Path;
use workbench::error::{Error, Result};

/// What the first line has.
pub(crate) struct Columns {
    pub count: usize,
    pub number: u64,
    /// The columns that hold something else than a number or an address, from 1.
    texts: Vec<usize>,
}

impl Columns {
    pub fn of(columns: &[&str], number: u64) -> Columns {
        let numbered = (1..).zip(columns);
        let texts = numbered.filter(|(_, column)| !is_number(column) && !column.contains("://"));
        let texts = texts.map(|(place, _)| place).collect();
        Columns { count: columns.len(), number, texts }
    }

    /// What somebody may have meant.
    pub fn proposal(&self) -> String {
        match self.texts[..] {
            [source, target, ..] => format!("--columns {source},{target}"),
            _ => "--columns 1,2".to_owned(),
        }
    }
}

pub(crate) fn is_number(column: &str) -> bool {
    column.trim().parse::<f64>().is_ok()
}

/// Lists with a number before each sentence are common, and a model would learn to translate numbers.
pub(crate) fn must_not_be_numbers(
    path: &Path,
    first: &Columns,
    are_numbers: [bool; 2],
) -> Result<()> {
    let Some(column) = are_numbers.iter().position(|are| *are) else { return Ok(()) };
    let (column, columns) = (column + 1, first.proposal());
    let reason = format!(
        "column {column} has a number in every line: say which columns are sentence and \
         translation ({columns}?)"
    );
    Err(Error::file(path, reason))
}
