//! What programs write has a mark near its beginning by which it is known again. Nothing else is written
//! over: whatever stands in a place that somebody named may be the only copy of their work.

use super::{folder_of, must_be_replaceable, shorten, try_writing, unwritten, write};
use crate::error::{Error, Result};
use crate::parameters::{MODEL_FILE, described_kind};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The mark of an SVG drawing.
pub const DRAWING: &str =
    "<style>:root{color:#222222}@media(prefers-color-scheme:dark){:root{color:#dddddd}}</style>";
/// The mark of the page that shows attention.
pub const PAGE: &str = "<meta name=\"generator\" content=\"workbench::viewer\">";
/// The mark of a PNG picture.
pub const PICTURE: &str = "Software\0attention";
/// The mark of a text as numbers of pieces: `corpora::Store`.
pub const NUMBERS: &str = "corpora1";
/// The mark of results, whatever the program.
pub(crate) const PROGRAM: &str = "\"program\": \"";
/// The mark of files that cannot be marked, such as translations: no file has it.
pub const NONE: &str = "";

/// The mark of a program's results.
pub fn of_program(name: &str) -> String {
    format!("{PROGRAM}{name}\"")
}

/// Whether a file has this mark near its beginning.
pub(crate) fn is_in(path: &Path, mark: &str) -> bool {
    let begin = beginning(path).unwrap_or_default();
    !mark.is_empty() && begin.windows(mark.len()).any(|part| part == mark.as_bytes())
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut begin)?;
    Ok(begin)
}

/// Refuses to write over a file with something in it that has not this mark.
pub fn must_be_in(path: &Path, mark: &str) -> Result<()> {
    let nothing_to_lose = match beginning(path) {
        Ok(begin) => begin.is_empty(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    if nothing_to_lose || is_in(path, mark) {
        return Ok(());
    }
    let reason = "is not known to be this program's and not written over: choose another place";
    Err(Error::file(path, reason))
}

/// Refuses a place that somebody named, if a file with this mark could not be put there: better known
/// before long work.
///
/// # Errors
/// When something without the mark stands there, or that is no file; when the folder cannot be written
/// into.
pub fn must_be_free(path: &Path, mark: &str) -> Result<()> {
    if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(Error::file(path, "this names a folder, a file is needed"));
    }
    must_be_replaceable(path)?;
    must_be_in(path, mark)?;
    try_writing(folder_of(path)).map_err(|error| unwritten(path, &error))
}

/// Writes a file with this mark into a place that [`must_be_free`], also now.
pub fn write_marked(path: &Path, mark: &str, bytes: &[u8]) -> Result<()> {
    must_be_in(path, mark)?;
    write(path, bytes)
}

/// Refuses to write one of a program's models into a folder that holds another program's; returns whether
/// it holds one of its own. `kinds` are their names: in `model.safetensors` where that describes its
/// model, else in `config.json`.
///
/// # Errors
/// When the folder has a model that is none of these.
pub fn holds_own_model(folder: &Path, kinds: &[&str]) -> Result<bool> {
    let kind = match kind(folder) {
        Some(kind) if !kinds.contains(&&kind[..]) => shorten(&kind),
        kind => return Ok(kind.is_some()),
    };
    let reason = format!("holds a model of another program ({kind}): choose another folder");
    Err(Error::file(folder, reason))
}

/// What the model of a folder is called, if there is one.
fn kind(folder: &Path) -> Option<String> {
    let config = fs::read(folder.join("config.json")).ok();
    let config = config.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    let theirs = config.as_ref().and_then(|config| config["architectures"][0].as_str());
    let tensors = folder.join(MODEL_FILE);
    match theirs {
        Some(kind) => Some(kind.to_owned()),
        None if !tensors.exists() => None,
        None => Some(described_kind(&tensors).unwrap_or_else(|| "unknown".to_owned())),
    }
}
