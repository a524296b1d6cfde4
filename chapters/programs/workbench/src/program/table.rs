//! Tables for the terminal.

use std::fmt::Display;
use unicode_width::UnicodeWidthStr;

/// How many columns of a terminal a text takes: a Chinese character has two.
///
/// ```
/// assert_eq!(workbench::program::columns("查询 q"), 6);
/// ```
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A text on the left of so many columns.
///
/// ```
/// assert_eq!(workbench::program::padded("查询", 6), "查询  ");
/// ```
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// A table for the terminal: numbers to the right, words to the left.
///
/// ```
/// let mut table = workbench::program::Table::new(["score", "accuracy"]);
/// table.row(["dot", "0.98"]);
/// table.row(["点积", "0.98"]);
/// let lines = "score  accuracy\n-----  --------\ndot        0.98\n点积       0.98\n";
/// assert_eq!(table.to_string(), lines);
/// ```
pub struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with the given column heads.
    pub fn new(heads: [&str; N]) -> Table<N> {
        Table { rows: vec![heads.map(str::to_owned)] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: [impl Display; N]) {
        self.rows.push(cells.map(|cell| cell.to_string()));
    }
}

impl<const N: usize> Display for Table<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let widths: [usize; N] = std::array::from_fn(|i| {
            self.rows.iter().map(|row| columns(&row[i])).max().unwrap_or(0)
        });
        let numeric: [bool; N] = std::array::from_fn(|i| {
            let mut cells = self.rows[1..].iter().map(|row| &row[i]);
            cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || "+-−.".contains(c)))
        });
        for (r, row) in self.rows.iter().enumerate() {
            if r == 1 {
                let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                writeln!(f, "{}", rules.join("  "))?;
            }
            let cells = row.iter().zip(widths).zip(numeric).map(|((cell, width), numeric)| {
                if numeric { format!("{cell:>width$}") } else { padded(cell, width) }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}
