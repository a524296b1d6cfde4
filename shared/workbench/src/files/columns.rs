//! Columns of numbers from a table in a text file, as spreadsheets and programs write it.

use super::numbers::{Seen, is_missing};
use super::{as_text, line_at, read, shorten};
use crate::error::{Error, Result};
use csv::StringRecord;
use std::borrow::Cow;
use std::path::Path;

/// Columns that were read, row by row.
#[derive(Debug)]
pub struct Columns<const N: usize> {
    /// The numbers. In double precision: a time in seconds has more digits than `f32`.
    pub numbers: [Vec<f64>; N],
    /// What a reader should know of how they were read, a line each.
    pub notices: Vec<String>,
}

/// Reads columns of numbers, by name, from a table with a header. The first of them may hold dates.
///
/// | in the file | is |
/// |---|---|
/// | comma, semicolon or tab between columns | what stands between the names in the header |
/// | `1234.5`, `1,234.5`, `1 234,5`, `1.234,5` | a number; the decimal mark is one for the file |
/// | nothing, `NA`, `N/A`, `NaN`, `null`, `-` | missing: the row is left out, and counted |
/// | `2024-03-31`, `31.3.2024`, `3/31/2024` | days since the first day |
/// | a time, `12:30` or `12:30:15`, also after a date | seconds since the first moment |
///
/// A byte-order mark, any ends of lines, quoted fields, blanks around fields and empty lines are fine;
/// columns that are not asked for are ignored.
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
/// When the file cannot be read, is no UTF-8 text, is empty, has no row, or lacks a column; when a
/// row is not as long as the header, or a field is not a finite number.
pub fn read_columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<Columns<N>> {
    let bytes = read(path)?;
    let text = as_text(path, &bytes)?;
    if text.trim().is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }
    let table = Table::open(path, text, names)?;
    let mut seen = Seen::default();
    table.each(|_, fields| {
        seen.note(&fields);
        Ok(())
    })?;
    let style = seen.style(table.separator);
    let (mut numbers, mut missing, mut first) = ([const { Vec::new() }; N], 0, None);
    table.each(|record, fields| {
        if fields.iter().any(|field| is_missing(field)) {
            missing += 1;
            first = first.or_else(|| record.position().map(|place| table.line(Some(place))));
            return Ok(());
        }
        for (i, field) in fields.iter().enumerate() {
            let number = if i == 0 { style.key(field) } else { style.number(field) };
            let refuse = |reason| table.refuse(record, format!("column `{}` {reason}", names[i]));
            numbers[i].push(number.map_err(refuse)?);
        }
        Ok(())
    })?;
    if numbers[0].is_empty() {
        return Err(Error::file(
            path,
            match missing {
                0 => "there is a header, but no row of data follows it".to_owned(),
                _ => format!("`{}` are missing in every row", names.join("` or `")),
            },
        ));
    }
    let mut notices = Vec::new();
    if let Some(line) = first {
        let of = missing + numbers[0].len();
        let names = names.map(|name| format!("`{}`", shorten(name))).join(" or ");
        notices.push(format!(
            "rows left out for a missing {names}: {missing} of {of} (the first in line {line})"
        ));
    }
    notices.extend(style.notice().map(str::to_owned));
    notices.extend(style.since_the_first(names[0], &mut numbers[0]));
    Ok(Columns { numbers, notices })
}

/// What may stand between columns.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// A table with a header in which columns were found.
struct Table<'a, const N: usize> {
    path: &'a Path,
    text: Cow<'a, str>,
    separator: u8,
    places: [usize; N],
}

impl<'a, const N: usize> Table<'a, N> {
    /// Finds the columns, whatever stands between them.
    fn open(path: &'a Path, text: &'a str, names: [&str; N]) -> Result<Self> {
        let mut refused: Option<(usize, Error)> = None;
        for separator in SEPARATORS {
            let text = without_blanks_before_quotes(text, separator);
            let mut table = Table { path, text, separator, places: [0; N] };
            let mut reader = table.reader();
            let header = reader.headers().map_err(|error| table.malformed(&error))?.clone();
            drop(reader);
            let mut failed = None;
            for (place, name) in table.places.iter_mut().zip(names) {
                match find(&header, name) {
                    Ok(found) => *place = found,
                    Err(reason) => failed = failed.or(Some(reason)),
                }
            }
            let Some(reason) = failed else { return Ok(table) };
            if refused.as_ref().is_none_or(|(columns, _)| header.len() > *columns) {
                refused = Some((header.len(), table.refuse(&header, reason)));
            }
        }
        Err(refused.expect("three were tried").1)
    }

    fn reader(&self) -> csv::Reader<&[u8]> {
        csv::ReaderBuilder::new().delimiter(self.separator).from_reader(self.text.as_bytes())
    }

    /// Hands on the fields of every row.
    fn each(&self, mut row: impl FnMut(&StringRecord, [&str; N]) -> Result<()>) -> Result<()> {
        let (mut reader, mut record) = (self.reader(), StringRecord::new());
        while reader.read_record(&mut record).map_err(|error| self.malformed(&error))? {
            self.must_be_closed(&record, reader.position())?;
            row(&record, self.places.map(|place| record[place].trim()))?;
        }
        Ok(())
    }

    /// A quote that is opened and not closed swallows all rows after it.
    fn must_be_closed(&self, record: &StringRecord, end: &csv::Position) -> Result<()> {
        let goes_on = || record.iter().any(|field| field.contains(['\n', '\r']));
        if end.byte() as usize >= self.text.len()
            && goes_on()
            && !self.text.trim_end().ends_with('"')
        {
            Err(self.refuse(record, "a quotation mark that opens here is never closed".to_owned()))
        } else {
            Ok(())
        }
    }

    /// An error in the line of a record.
    fn refuse(&self, record: &StringRecord, reason: String) -> Error {
        Error::line(self.path, self.line(record.position()), reason)
    }

    fn malformed(&self, error: &csv::Error) -> Error {
        match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let reason =
                    format!("the number of fields is {len}, but the header has {expected_len}");
                Error::line(self.path, self.line(pos.as_ref()), reason)
            }
            _ => Error::file(self.path, error),
        }
    }

    /// The line a row stands on. The reader's own count stops before empty lines that it skips.
    fn line(&self, position: Option<&csv::Position>) -> u64 {
        let text = &self.text;
        let start = position.map_or(0, |position| position.byte() as usize).min(text.len());
        let skipped = text.len() - start - text[start..].trim_start_matches(['\r', '\n']).len();
        line_at(text.as_bytes(), start + skipped)
    }
}

/// The place of a column in the header.
fn find(header: &StringRecord, name: &str) -> Result<usize, String> {
    let mut places = (0..header.len()).filter(|i| header[*i].trim() == name);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(format!("the header names column `{name}` twice")),
        (None, _) => Err(no_column(header, name)),
    }
}

fn no_column(header: &StringRecord, name: &str) -> String {
    const SHOWN: usize = 10;
    let name = shorten(name);
    let quoted = |name: &str| format!("`{}`", shorten(name.trim()));
    if header.len() == 1 {
        let only = quoted(&header[0]);
        let hint = "between columns stand commas, semicolons or tabs";
        return format!("there is no column `{name}`; the only column is {only} ({hint})");
    }
    let mut known: Vec<String> = header.iter().take(SHOWN).map(quoted).collect();
    if let Some(more @ 1..) = header.len().checked_sub(SHOWN) {
        known.push(format!("and {more} more"));
    }
    format!("there is no column `{name}`; the columns are {}", known.join(", "))
}

/// The text with quotes right after what separates columns, where some programs put a blank between.
fn without_blanks_before_quotes(text: &str, separator: u8) -> Cow<'_, str> {
    let separator = separator as char;
    if !text.contains(&format!("{separator} ")) || !text.contains(" \"") {
        return text.into();
    }
    let (mut fixed, mut quoted, mut begins) = (String::with_capacity(text.len()), false, true);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let behind = rest.trim_start_matches(' ');
        if begins && !quoted && c == ' ' && behind.starts_with('"') {
            rest = behind;
            continue;
        }
        quoted ^= c == '"' && (quoted || begins);
        begins = [separator, '\n', '\r'].contains(&c);
        fixed.push(c);
        rest = &rest[c.len_utf8()..];
    }
    fixed.into()
}
