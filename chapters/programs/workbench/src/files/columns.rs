//! Columns of numbers from a table in a text file, as spreadsheets and programs write it.

use super::numbers::{Seen, is_missing, mark};
use super::{Rows, shorten};
use crate::error::{Error, Result};
use std::path::Path;

/// Columns that were read, row by row.
#[derive(Debug)]
pub struct Columns<const N: usize> {
    /// The numbers. In double precision: a time in seconds has more digits than `f32`.
    pub numbers: [Vec<f64>; N],
    /// What a reader should know of how they were read, a line each.
    pub notices: Vec<String>,
}

/// Reads columns of numbers, by name, from a table as [`Rows`] reads it. The first may hold dates.
///
/// | in the file | is |
/// |---|---|
/// | `1234.5`, `1,234.5`, `1 234,5`, `1.234,5` | a number; the decimal mark is one for the file |
/// | nothing, `NA`, `n.v.`, `NaN`, `null`, `-`, `.`, `#DIV/0!` | missing: the row is left out, and counted |
/// | `2024-03-31`, `31.3.2024`, `3/31/24`, `31 Mar 2024`, `20240331` | days since the first day |
/// | `2024-03`, `3/2024`, `Mar 2024` | the first day of a month |
/// | a time, `12:30`, `12:30:15` or `1:30 PM`, also after a date | seconds since the first moment |
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "day;y;x\n1;0,5;2\n2;0,75;4\n")?;
/// let read = workbench::files::read_columns(file.path(), ["x", "y"])?;
/// assert_eq!(read.numbers, [vec![2.0, 4.0], vec![0.5, 0.75]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read or is empty, has no row, or lacks a column; when a row is not as long as the
/// header, or a field is not a finite number.
pub fn read_columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<Columns<N>> {
    let understand = |header: &[String]| {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = find(header, name)?;
        }
        Ok(places)
    };
    let (mut rows, places) = Rows::open(path, understand)?;
    let mut seen = Seen::default();
    while let Some(row) = rows.next_row()? {
        seen.note(&row.fields, &places);
    }
    let style = seen.style(rows.separator());
    let mut notices = rows.notices();
    let (mut rows, _) = Rows::open(path, understand)?;
    let (mut numbers, mut missing, mut first) = ([const { Vec::new() }; N], 0, None);
    while let Some(row) = rows.next_row()? {
        if places.iter().any(|place| is_missing(&row.fields[*place])) {
            missing += 1;
            first = first.or(Some(row.line));
            continue;
        }
        for (i, place) in places.iter().enumerate() {
            let field = &row.fields[*place];
            let number = if i == 0 { style.key(field) } else { style.number(field) };
            let refuse = |reason| rows.refuse(&row, format!("column `{}` {reason}", names[i]));
            numbers[i].push(number.map_err(refuse)?);
        }
    }
    if numbers[0].is_empty() {
        return Err(Error::file(
            path,
            match missing {
                0 => "there is a header, but no row of data follows it".to_owned(),
                _ => format!("`{}` are missing in every row", names.join("` or `")),
            },
        ));
    }
    if let Some(line) = first {
        let of = missing + numbers[0].len();
        let names = names.map(|name| format!("`{}`", shorten(name))).join(" or ");
        notices.push(format!(
            "rows left out for a missing {names}: {missing} of {of} (the first in line {line})"
        ));
    }
    notices.extend(style.notice().map(str::to_owned));
    notices.extend(style.since_the_first(names[0], &mut numbers[0]));
    notices.extend(names.iter().zip(&numbers).filter_map(|(name, column)| mark(name, column)));
    Ok(Columns { numbers, notices })
}

/// The place of a column in the header.
fn find(header: &[String], name: &str) -> Result<usize, String> {
    let mut places = (0..header.len()).filter(|i| header[*i] == name);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(format!("the header names column `{name}` twice")),
        (None, _) => Err(no_column(header, name)),
    }
}

fn no_column(header: &[String], name: &str) -> String {
    const SHOWN: usize = 10;
    let name = shorten(name);
    let quoted = |name: &String| format!("`{}`", shorten(name));
    if header.len() == 1 {
        let only = quoted(&header[0]);
        let hint = "between columns stand tabs, semicolons, commas, `|` or blanks";
        return format!("there is no column `{name}`; the only column is {only} ({hint})");
    }
    let mut known: Vec<String> = header.iter().take(SHOWN).map(quoted).collect();
    if let Some(more @ 1..) = header.len().checked_sub(SHOWN) {
        known.push(format!("and {more} more"));
    }
    format!("there is no column `{name}`; the columns are {}", known.join(", "))
}
