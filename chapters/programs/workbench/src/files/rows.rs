//! Rows of a table in a text file, as spreadsheets, databases and programs write them.

use super::lines::{Lines, MAX_BYTES};
use crate::error::{Error, Result};
use std::collections::VecDeque;
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
/// | tab, `::`, semicolon, comma, `\|` or blanks between columns | what makes names of the first line |
/// | `"a, b"`, `"say ""no"""` | one field; where tabs separate, lone quotation marks are text |
/// | lines with `#` or `sep=` before the first row, empty lines | left out |
/// | empty fields behind the last column | left out |
/// | the first line once more, as where files were joined | left out, and counted |
/// | UTF-8, UTF-16 with a byte-order mark | text |
/// | lines in anything else | read as Windows-1252, which holds Latin-1, and counted |
pub struct Rows<'a> {
    lines: Lines<'a>,
    /// What a line with carriage returns inside still holds, and the number of the line read last.
    pending: VecDeque<String>,
    number: u64,
    separator: &'static str,
    /// The first row, its line, and whether its fields stand between quotation marks.
    header: Row,
    quoted: bool,
    repeated: usize,
    /// A row that was read and is still to be handed out.
    first: Option<Row>,
}

const SEPARATORS: [&str; 6] = ["\t", "::", ";", ",", "|", " "];

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
        let header = Row { line: 0, fields: Vec::new() };
        let (pending, quoted) = (VecDeque::new(), false);
        let mut rows = Rows {
            lines,
            pending,
            number: 0,
            separator: "",
            header,
            quoted,
            repeated: 0,
            first: None,
        };
        let (first, comment) = rows.begin()?;
        let mut refused = (0, String::new());
        let texts = [Some(first.clone()), comment];
        let texts = texts.iter().flatten().flat_map(|text| SEPARATORS.map(|one| (text, one)));
        for (text, separator) in texts {
            if separator == " " && SEPARATORS[..5].iter().any(|other| text.contains(other)) {
                continue; // blanks separate columns where nothing else does
            }
            rows.separator = separator;
            let mut fields = rows.cut(text).0;
            match understand(&fields) {
                Ok(understood) => {
                    let last = fields.iter().rposition(|name| !name.is_empty());
                    fields.truncate(last.map_or(0, |last| last + 1));
                    (rows.quoted, rows.header.fields) = (text.starts_with('"'), fields);
                    if *text != first {
                        rows.number -= 1; // names stood in the comment
                        rows.pending.push_front(first);
                    }
                    return Ok((rows, understood));
                }
                Err(reason) if refused.0 < 2 => refused = (fields.len(), reason),
                Err(_) => {}
            }
        }
        Err(Error::line(path, rows.header.line, refused.1))
    }

    /// The first row as a text, and the comment before it, if any: that may be what names the columns.
    fn begin(&mut self) -> Result<(String, Option<String>)> {
        let mut comment = None;
        while let Some(mut text) = self.line()? {
            if let Some(note) = text.strip_prefix('#') {
                comment = Some(note.trim().to_owned());
            } else if !(text.trim().is_empty() || text.starts_with("sep=")) {
                self.header.line = self.number;
                while [";", ","].iter().any(|separator| split(&text, separator).1) {
                    self.close(&mut text)?; // a name with a line end in it
                }
                return Ok((text, comment));
            }
        }
        Err(Error::file(self.lines.path, "the file is empty"))
    }

    /// Makes the first row one like all others: it names no columns.
    pub fn without_header(&mut self) {
        let fields = take(&mut self.header.fields);
        self.header.fields = vec![String::new(); fields.len()]; // which no row is
        self.first = Some(Row { line: self.header.line, fields });
    }

    /// The next row.
    ///
    /// # Errors
    /// When it has not the columns of the first, or a quotation mark in it is not closed.
    pub fn next_row(&mut self) -> Result<Option<Row>> {
        if let Some(row) = self.first.take() {
            return Ok(Some(row));
        }
        while let Some(text) = self.line()? {
            let line = self.number;
            if text
                .trim_matches(|c: char| c.is_whitespace() || self.separator.contains(c))
                .is_empty()
            {
                continue;
            }
            let fields = self.fields(text)?;
            if fields != self.header.fields {
                return Ok(Some(Row { line, fields }));
            }
            self.repeated += 1;
        }
        Ok(None)
    }

    fn fields(&mut self, mut text: String) -> Result<Vec<String>> {
        let line = self.number;
        let (mut fields, mut is_open) = self.cut(&text);
        while is_open {
            self.close(&mut text)?;
            (fields, is_open) = self.cut(&text);
        }
        let columns = self.header.fields.len();
        while fields.len() > columns && fields.last().is_some_and(String::is_empty) {
            fields.pop();
        }
        if fields.len() == columns {
            return Ok(fields);
        }
        let reason = format!(
            "the number of columns is {}, but line {} has {columns}",
            fields.len(),
            self.header.line
        );
        Err(Error::line(self.lines.path, line, reason))
    }

    /// Adds lines to a row with an open quotation mark, up to the one that closes it.
    fn close(&mut self, text: &mut String) -> Result<()> {
        let line = self.number;
        loop {
            match self.line()? {
                Some(more) if text.len() < MAX_BYTES => {
                    *text = take(text) + "\n" + &more;
                    if more.matches('"').count() % 2 == 1 {
                        return Ok(());
                    }
                }
                _ => {
                    let reason = "a quotation mark that opens here is never closed";
                    return Err(Error::line(self.lines.path, line, reason));
                }
            }
        }
    }

    /// The next line, whatever it ends in.
    fn line(&mut self) -> Result<Option<String>> {
        if self.pending.is_empty() {
            let Some(text) = self.lines.next_line()? else { return Ok(None) };
            self.pending.extend(text.split('\r').map(str::to_owned));
        }
        self.number += 1;
        Ok(self.pending.pop_front())
    }

    /// The fields of a row, and whether a quotation mark in the last of them is open.
    fn cut(&self, text: &str) -> (Vec<String>, bool) {
        let plain = |field: &str| field.trim().to_owned();
        if self.separator == " " {
            return (text.split_whitespace().map(plain).collect(), false);
        }
        if self.separator == "\t" {
            let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
            if fields.len() == self.header.fields.len() {
                let field = |field: &&str| match self.inside(field) {
                    Some(Some((inside, ""))) => plain(&inside),
                    _ => plain(field),
                };
                let is_open = fields.last().is_some_and(|last| self.inside(last) == Some(None));
                return (fields.iter().map(field).collect(), is_open);
            }
        }
        split(text, self.separator)
    }

    /// [`unquoted`], where the file shows that quotation marks are more than text: those of its first row, or
    /// two in a row.
    fn inside<'t>(&self, field: &'t str) -> Option<Option<(String, &'t str)>> {
        let inside = field.strip_prefix('"')?;
        (self.quoted || inside.contains("\"\"")).then(|| unquoted(inside))
    }

    /// What a reader should know of how the rows were read, a line each.
    pub fn notices(&self) -> Vec<String> {
        let counts = [
            (self.lines.foreign, "lines are not UTF-8 and were read as Latin-1 (Windows-1252)"),
            (self.repeated, "lines were left out: the first line once more"),
        ];
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect()
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

/// The fields of a row in which quotation marks may hold separators and line ends (RFC 4180), and whether one
/// is open.
fn split(text: &str, separator: &str) -> (Vec<String>, bool) {
    let (mut fields, mut rest) = (Vec::new(), text);
    loop {
        let quoted = rest.trim_start_matches(' ').strip_prefix('"');
        let (mut field, after) = match quoted.map(unquoted) {
            Some(None) => {
                fields.push(rest.trim().to_owned());
                return (fields, true);
            }
            Some(Some(found)) => found,
            None => (String::new(), rest),
        };
        let (more, next) = after.split_once(separator).map_or((after, None), |(a, b)| (a, Some(b)));
        field += more;
        fields.push(field.trim().to_owned());
        match next {
            Some(next) => rest = next,
            None => return (fields, false),
        }
    }
}

/// What stands up to the quotation mark that closes a field, and what after it. Two are one inside.
fn unquoted(mut rest: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        field += part;
        match after.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Some((field, after)),
        }
    }
}
