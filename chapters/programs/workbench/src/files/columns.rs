//! Columns of numbers from a table in a text file, as spreadsheets and programs write it.

use super::dates::{Format, since_the_first};
use super::{Row, Rows, shorten};
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
/// | `1234.5` | a number |
/// | `1234,5` | a number, too, where no comma separates columns; then none has a point |
/// | nothing, `NA`, `NaN`, `null`, `-`, `#DIV/0!` | missing: the row is left out, and counted |
/// | `2024-03-31`, `31.3.2024`, `3/31/2024`, `31 Mar 2024`, `20240331` | days since the first day |
/// | `2024-03`, `Mar 2024` | the first day of a month |
/// | a time, `12:30` or `12:30:15`, also after a date | seconds since the first moment |
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
/// header, or a field is not a finite number; when nothing shows whether the day or the month is first.
pub fn read_columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<Columns<N>> {
    let (mut rows, places) = Rows::open(path, |header| {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = find(header, name)?;
        }
        Ok(places)
    })?;
    let (mut table, mut missing) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next_row()? {
        let fields = places.iter().map(|place| row.fields[*place].clone()).collect();
        let row = Row { line: row.line, fields };
        let to = if row.fields.iter().any(|f| is_missing(f)) { &mut missing } else { &mut table };
        to.push(row);
    }
    let Some(first) = table.first() else {
        return Err(Error::file(path, no_rows(&names, missing.len())));
    };
    let format = Format::of(table.iter().map(|row| &*row.fields[0]));
    let format =
        format.map_err(|reason| rows.refuse(first, format!("column `{}` {reason}", names[0])))?;
    let comma = rows.separator() != ","
        && table
            .iter()
            .flat_map(|row| &row.fields)
            .any(|field| field.contains(',') && field.replace(',', ".").parse::<f64>().is_ok());
    let mut numbers = [const { Vec::new() }; N];
    for row in &table {
        for (i, field) in row.fields.iter().enumerate() {
            let number = match format {
                Some(format) if i == 0 => format.seconds(field).ok_or_else(|| {
                    "which is not a date or time as the others in this column".to_owned()
                }),
                _ => number(field, comma),
            };
            numbers[i].push(number.map_err(|reason| {
                let shown = shorten(field);
                rows.refuse(row, format!("column `{}` holds `{shown}`, {reason}", names[i]))
            })?);
        }
    }
    let mut notices = rows.notices();
    if let Some(row) = missing.first() {
        let (left, all) = (missing.len(), missing.len() + table.len());
        let names = names.map(|name| format!("`{}`", shorten(name))).join(" or ");
        notices.push(format!(
            "rows left out for a missing {names}: {left} of {all} (the first in line {})",
            row.line
        ));
    }
    notices.extend(comma.then(|| "numbers have decimal commas: 1,5 is one and a half".to_owned()));
    notices.extend(format.map(|f| since_the_first(&shorten(names[0]), f, &mut numbers[0])));
    Ok(Columns { numbers, notices })
}

/// Whether nothing was measured. What begins with `#` is a spreadsheet's error: `#DIV/0!`.
fn is_missing(field: &str) -> bool {
    const WORDS: [&str; 7] = ["", "-", "na", "n/a", "nan", "null", "none"];
    field.starts_with('#') || WORDS.iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// A finite number, or what the field is instead.
fn number(field: &str, comma: bool) -> Result<f64, String> {
    if comma && field.contains('.') {
        return Err("a point, where others have decimal commas".to_owned());
    }
    let number = if comma { field.replace(',', ".").parse() } else { field.parse() };
    match number {
        Ok(number) if f64::is_finite(number) => Ok(number),
        Ok(_) => Err("a finite number is needed".to_owned()),
        Err(_) => Err("which is not a number".to_owned()),
    }
}

fn no_rows(names: &[&str], missing: usize) -> String {
    match missing {
        0 => "there is a header, but no row of data follows it".to_owned(),
        _ => format!("`{}` are missing in every row", names.join("` or `")),
    }
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
        let hint = "between columns stand tabs, semicolons or commas";
        return format!("there is no column `{name}`; the only column is {only} ({hint})");
    }
    let mut known: Vec<String> = header.iter().take(SHOWN).map(quoted).collect();
    if let Some(more @ 1..) = header.len().checked_sub(SHOWN) {
        known.push(format!("and {more} more"));
    }
    format!("there is no column `{name}`; the columns are {}", known.join(", "))
}
