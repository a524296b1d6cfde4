//! Rows of a table in a text file, as spreadsheets, databases and programs write them.

use super::lines::{Lines, MAX_BYTES};
use crate::error::{Error, Result};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use std::mem::take;
use std::path::Path;

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// What stands in its columns, without blanks around it.
    pub fields: Vec<String>,
}

/// The rows of a table, one after another: memory does not grow with the file.
///
/// | in the file | is |
/// |---|---|
/// | tab, `::`, semicolon or comma between columns | what makes names of the first line |
/// | `"a, b"`, `"say ""no"""` | one field; between tabs only if the first line begins with a quotation mark |
/// | empty lines, empty fields behind the last column | left out |
/// | UTF-8, UTF-16 with a byte-order mark | text |
/// | lines in anything else | read as Windows-1252, which holds Latin-1, and counted |
pub struct Rows<'a> {
    lines: Lines<'a>,
    separator: &'static str,
    parser: Reader,
    /// The fields of the row that is read, one after another, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    header: Row,
    /// A row that was read and is still to be handed out.
    first: Option<Row>,
}

const SEPARATORS: [&str; 4] = ["\t", "::", ";", ","];

impl<'a> Rows<'a> {
    /// Opens a table. `understand` makes something of the first row's fields, or says what it lacks: of all
    /// that may separate columns, the first with which it succeeds does.
    ///
    /// # Errors
    /// When the file cannot be read or is empty, or what the first row lacks.
    pub fn open<T>(
        path: &'a Path,
        understand: impl Fn(&[String]) -> Result<T, String>,
    ) -> Result<(Rows<'a>, T)> {
        let mut lines = Lines::open(path)?;
        lines.lenient = true;
        let mut text = String::new();
        while text.trim().is_empty() {
            text = lines.next_line()?.ok_or_else(|| Error::file(path, "the file is empty"))?;
        }
        let line = lines.number;
        let mut refused = (0, String::new());
        let (bytes, ends, first) = (Vec::new(), Vec::new(), None);
        let header = Row { line, fields: Vec::new() };
        let (separator, parser) = ("", Reader::new());
        let mut rows = Rows { lines, separator, parser, bytes, ends, header, first };
        for separator in SEPARATORS {
            let (delimiter, quoting) = match separator {
                "\t" | "::" => (b'\t', text.starts_with('"')),
                _ => (separator.as_bytes()[0], true),
            };
            rows.separator = separator;
            rows.parser = ReaderBuilder::new().delimiter(delimiter).quoting(quoting).build();
            if !rows.add_line(&text) {
                (refused.0, refused.1) = (2, "a name goes on in the next line".to_owned());
                continue;
            }
            let mut fields = rows.take_fields();
            match understand(&fields) {
                Ok(understood) => {
                    let last = fields.iter().rposition(|name| !name.is_empty());
                    fields.truncate(last.map_or(0, |last| last + 1));
                    rows.header.fields = fields;
                    return Ok((rows, understood));
                }
                Err(reason) if refused.0 < 2 => refused = (fields.len(), reason),
                Err(_) => {}
            }
        }
        Err(Error::line(path, line, refused.1))
    }

    /// Makes the first row one like all others: it names no columns.
    pub fn without_header(&mut self) {
        self.first = Some(self.header.clone());
    }

    /// The next row.
    ///
    /// # Errors
    /// When it has not the columns of the first, or a quotation mark in it is not closed.
    pub fn next_row(&mut self) -> Result<Option<Row>> {
        if let Some(row) = self.first.take() {
            return Ok(Some(row));
        }
        while let Some(mut text) = self.lines.next_line()? {
            if text.trim().is_empty() {
                continue;
            }
            let line = self.lines.number;
            while !self.add_line(&text) {
                text = match self.lines.next_line()? {
                    Some(text) if self.bytes.len() < MAX_BYTES => text,
                    _ => {
                        let reason = "a quotation mark that opens here is never closed";
                        return Err(Error::line(self.lines.path, line, reason));
                    }
                };
            }
            let fields = self.take_fields();
            if fields.iter().any(|field| !field.is_empty()) {
                return Ok(Some(Row { line, fields: self.fitted(line, fields)? }));
            }
        }
        Ok(None)
    }

    /// Adds a line to the row that is read: whether it is complete, or ends inside quotation marks.
    fn add_line(&mut self, text: &str) -> bool {
        let text = if self.separator == "::" { text.replace("::", "\t") } else { text.to_owned() };
        let (input, bytes, ends) = (text + "\n", self.bytes.len(), self.ends.len());
        self.bytes.resize(bytes + input.len(), 0);
        self.ends.resize(ends + input.len(), 0); // there is room for all
        let (result, _, read, found) = self.parser.read_record(
            input.as_bytes(),
            &mut self.bytes[bytes..],
            &mut self.ends[ends..],
        );
        self.bytes.truncate(bytes + read);
        self.ends.truncate(ends + found);
        result == ReadRecordResult::Record
    }

    /// The fields of the row that is complete.
    fn take_fields(&mut self) -> Vec<String> {
        let bytes = take(&mut self.bytes);
        let mut fields = Vec::new();
        let mut begin = 0;
        for end in take(&mut self.ends) {
            fields.push(String::from_utf8_lossy(&bytes[begin..end]).trim().to_owned());
            begin = end;
        }
        fields
    }

    /// The fields of a row without empty ones at its end, where the first row has fewer.
    fn fitted(&self, line: u64, mut fields: Vec<String>) -> Result<Vec<String>> {
        let columns = self.header.fields.len();
        while fields.len() > columns && fields.last().is_some_and(String::is_empty) {
            fields.pop();
        }
        if fields.len() == columns {
            return Ok(fields);
        }
        let (count, first) = (fields.len(), self.header.line);
        let reason = format!("the number of columns is {count}, but line {first} has {columns}");
        Err(Error::line(self.lines.path, line, reason))
    }

    /// What a reader should know of how the rows were read, a line each.
    pub fn notices(&self) -> Vec<String> {
        let what = "lines are not UTF-8 and were read as Latin-1 (Windows-1252)";
        let foreign = self.lines.foreign;
        (foreign > 0).then(|| format!("{foreign} {what}")).into_iter().collect()
    }

    /// An error in a row.
    pub fn refuse(&self, row: &Row, reason: impl std::fmt::Display) -> Error {
        Error::line(self.lines.path, row.line, reason)
    }

    /// What separates columns.
    pub fn separator(&self) -> &'static str {
        self.separator
    }
}
