//! The names of classes.

use super::table::{Form, Row, Table};
use std::collections::BTreeMap;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::shorten;

/// The labels in a file, in order: by their value where all are whole numbers, by their letters
/// otherwise. The order does not depend on that of the lines.
pub fn labels_of(path: &Path, table: &Table) -> Result<Vec<String>> {
    must_be_labelled(path, table)?;
    let mut counted: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (row, label) in table.rows.iter().flat_map(|row| row.labels.iter().map(move |l| (row, l))) {
        counted.entry(label).or_insert((row.line, 0)).1 += 1;
    }
    let once = counted.iter().filter(|(_, (_, count))| *count == 1);
    if let Some((label, (line, _))) = once.min_by_key(|(_, (line, _))| *line) {
        let reason = format!("`{}` is seen here and nowhere else: a slip?", shorten(label));
        return Err(Error::line(path, *line, format!("the {} {reason}", table.form.label())));
    }
    if counted.len() < 2 {
        let name = table.form.label();
        let label = counted.keys().next().unwrap_or(&"");
        let reason =
            format!("every `{name}` is `{}`: there is nothing to distinguish", shorten(label));
        return Err(Error::file(path, reason));
    }
    let mut labels: Vec<String> = counted.into_keys().map(str::to_owned).collect();
    let number = |label: &String| label.parse::<i64>().ok();
    if labels.iter().all(|label| number(label).is_some()) {
        labels.sort_by_key(number);
    }
    Ok(labels)
}

/// Refuses a table that has not a label for each example, or not one for each word.
pub fn must_be_labelled(path: &Path, table: &Table) -> Result<()> {
    let name = table.form.label();
    if !table.is_labelled {
        return Err(Error::file(path, format!("there is no column `{name}`")));
    }
    for row in &table.rows {
        let reason = match (row.labels.len(), row.texts.len()) {
            (0, _) => format!("column `{name}` is empty"),
            (tags, words) if table.form == Form::Words && tags != words => {
                format!("{words} words, but {tags} tags")
            }
            _ => continue,
        };
        return Err(Error::line(path, row.line, reason));
    }
    Ok(())
}

/// The classes of every row, which are none in a table without labels.
pub fn answers(path: &Path, table: &Table, labels: &[String]) -> Result<Vec<Vec<usize>>> {
    if table.is_labelled {
        must_be_labelled(path, table)?;
    }
    let number = |row: &Row, label: &String| {
        labels.iter().position(|one| one == label).ok_or_else(|| {
            let reason = format!("`{}` is none of the labels learnt", shorten(label));
            Error::line(path, row.line, reason)
        })
    };
    let rows = table.rows.iter();
    rows.map(|row| row.labels.iter().map(|label| number(row, label)).collect()).collect()
}
