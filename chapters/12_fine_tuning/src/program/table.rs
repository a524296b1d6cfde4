//! Files of examples: a row each, columns named in the first line.

use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::{self, Rows, shorten};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A text, which has a label: columns `text` and `label`.
    Text,
    /// Two texts, which have a label together: `first`, `second` and `label`.
    Pair,
    /// Words, each of which has a tag, blanks between them: `words` and `tags`.
    Words,
}

impl Form {
    pub fn texts(self) -> &'static [&'static str] {
        match self {
            Form::Text => &["text"],
            Form::Pair => &["first", "second"],
            Form::Words => &["words"],
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Form::Text | Form::Pair => "label",
            Form::Words => "tags",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub line: u64,
    pub texts: Vec<String>,
    /// None where nobody wrote one.
    pub labels: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub form: Form,
    pub is_labelled: bool,
    pub rows: Vec<Row>,
    /// What a reader should know of how it was read, a line each.
    pub notices: Vec<String>,
}

struct Columns {
    form: Form,
    texts: Vec<usize>,
    label: Option<usize>,
}

/// Reads a file of examples, as [`Rows`] reads tables. Columns with other names are passed over.
pub fn read_table(path: &Path) -> Result<Table> {
    let (mut read, columns) = Rows::open(path, columns)?;
    let mut rows = Vec::new();
    while let Some(row) = read.next_row()? {
        rows.push(columns.row(&row).map_err(|reason| read.refuse(&row, reason))?);
    }
    if rows.is_empty() {
        return Err(Error::file(path, "there is a header, but no example follows it"));
    }
    let is_labelled = columns.label.is_some();
    Ok(Table { form: columns.form, is_labelled, rows, notices: read.notices() })
}

fn columns(names: &[String]) -> Result<Columns, String> {
    if let Some(twice) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(format!("the header names column `{}` twice", shorten(twice.1)));
    }
    let place = |wanted: &str| names.iter().position(|name| *name == wanted);
    let mut found = [Form::Text, Form::Pair, Form::Words]
        .into_iter()
        .filter(|form| form.texts().iter().any(|name| place(name).is_some()));
    let listed: Vec<String> =
        names.iter().take(10).map(|name| format!("`{}`", shorten(name))).collect();
    let listed = listed.join(", ");
    let form = match (found.next(), found.next()) {
        (Some(form), None) => form,
        (None, _) => {
            let needed = "`text`, or `first` and `second`, or `words`";
            return Err(format!("the first line names the columns {listed}; needed are {needed}"));
        }
        _ => return Err(format!("{listed}: which of these is to be read?")),
    };
    let texts = form.texts().iter().map(|name| {
        place(name).ok_or_else(|| format!("there is no column `{name}`; the columns are {listed}"))
    });
    let texts = texts.collect::<Result<_, _>>()?;
    Ok(Columns { form, texts, label: place(form.label()) })
}

impl Columns {
    fn row(&self, row: &files::Row) -> Result<Row, String> {
        let text = |(place, name): (&usize, &&str)| match &*row.fields[*place] {
            "" => Err(format!("column `{name}` is empty")),
            text => Ok(text.to_owned()),
        };
        let texts = self.texts.iter().zip(self.form.texts()).map(text);
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        let label =
            self.label.map(|place| row.fields[place].clone()).filter(|label| !label.is_empty());
        let split = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (texts, labels) = match self.form {
            Form::Words => (split(&texts[0]), label.iter().flat_map(split).collect()),
            _ => (texts, Vec::from_iter(label)),
        };
        Ok(Row { line: row.line, texts, labels })
    }
}
