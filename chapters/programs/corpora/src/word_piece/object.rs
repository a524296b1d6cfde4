//! A file that holds one object of JSON.

use serde_json::{Map, Value};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::read;
use workbench::folders::must_be_itself;

/// A file of JSON, and the object in it.
pub(super) fn read_object(path: &Path) -> Result<(String, Map<String, Value>)> {
    let bytes = read(path)?;
    must_be_itself(path, &bytes)?;
    let object = serde_json::from_slice(&bytes)
        .map_err(|error| Error::line(path, error.line() as u64, format!("no JSON: {error}")))?;
    Ok((String::from_utf8(bytes).expect("JSON is UTF-8"), object))
}

/// The line in which a key stands first, or the first line.
pub(super) fn line_of(text: &str, key: &str) -> u64 {
    let key = serde_json::to_string(key).expect("a string") + ":";
    text.lines().position(|line| line.contains(&key)).unwrap_or(0) as u64 + 1
}
