//! Files of examples: a line each, columns between tabs, named in the first line.

use corpora::read_lines;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::shorten;

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
    pub labels: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub form: Form,
    pub is_labelled: bool,
    pub rows: Vec<Row>,
}

struct Columns {
    form: Form,
    texts: Vec<usize>,
    label: Option<usize>,
    all: usize,
}

/// Reads a file of examples. Columns with other names are passed over, and so are empty lines.
pub fn read_table(path: &Path) -> Result<Table> {
    let lines = read_lines(path)?;
    let mut lines = lines.iter().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let Some((header, number)) = lines.next() else {
        return Err(Error::file(path, "the file is empty"));
    };
    let columns = columns(header).map_err(|reason| Error::line(path, number, reason))?;
    let row = |(line, number): (&String, u64)| {
        columns.row(line, number).map_err(|reason| Error::line(path, number, reason))
    };
    let rows: Vec<Row> = lines.map(row).collect::<Result<_>>()?;
    if rows.is_empty() {
        return Err(Error::file(path, "there is a header, but no example follows it"));
    }
    Ok(Table { form: columns.form, is_labelled: columns.label.is_some(), rows })
}

fn columns(header: &str) -> Result<Columns, String> {
    let names: Vec<&str> = header.split('\t').map(str::trim).collect();
    if let Some(twice) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        return Err(format!("the header names column `{}` twice", shorten(twice.1)));
    }
    let place = |wanted: &str| names.iter().position(|name| *name == wanted);
    let forms = [Form::Text, Form::Pair, Form::Words];
    let has = |form: &Form| form.texts().iter().any(|name| place(name).is_some());
    let mut found = forms.into_iter().filter(has);
    let listed: Vec<String> =
        names.iter().take(10).map(|name| format!("`{}`", shorten(name))).collect();
    let listed = listed.join(", ");
    let form = match (found.next(), found.next()) {
        (Some(form), None) => form,
        (None, _) => {
            let needed = "`text`, or `first` and `second`, or `words`, with tabs between them";
            return Err(format!("the first line names the columns {listed}; needed are {needed}"));
        }
        _ => return Err(format!("{listed}: which of these is to be read?")),
    };
    let missing = |name: &&str| format!("there is no column `{name}`; the columns are {listed}");
    let texts = form.texts().iter().map(|name| place(name).ok_or_else(|| missing(name)));
    let texts = texts.collect::<Result<_, _>>()?;
    Ok(Columns { form, texts, label: place(form.label()), all: names.len() })
}

impl Columns {
    fn row(&self, line: &str, number: u64) -> Result<Row, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        if fields.len() != self.all {
            return Err(format!("{} columns, but the header has {}", fields.len(), self.all));
        }
        let field = |place: usize, name: &str| match fields[place] {
            "" => Err(format!("column `{name}` is empty")),
            text => Ok(text.to_owned()),
        };
        let texts = self.texts.iter().zip(self.form.texts());
        let texts: Vec<String> =
            texts.map(|(place, name)| field(*place, name)).collect::<Result<_, _>>()?;
        let label = self.label.map(|place| field(place, self.form.label())).transpose()?;
        if self.form != Form::Words {
            return Ok(Row { line: number, texts, labels: Vec::from_iter(label) });
        }
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (words, tags) = (split(&texts[0]), label.map(|tags| split(&tags)).unwrap_or_default());
        match self.label {
            Some(_) if words.len() != tags.len() => {
                Err(format!("{} words, but {} tags", words.len(), tags.len()))
            }
            _ => Ok(Row { line: number, texts: words, labels: tags }),
        }
    }
}
