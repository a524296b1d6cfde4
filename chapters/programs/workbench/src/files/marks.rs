//! What programs write has a mark near its beginning by which it is known again. Nothing else is written
//! over: whatever stands in a place that somebody named may be the only copy of their work.

use super::{folder_of, must_be_replaceable, try_writing, unwritten, write};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Of an SVG drawing.
pub const DRAWING: &str =
    "<style>:root{color:#222222}@media(prefers-color-scheme:dark){:root{color:#dddddd}}</style>";
/// Of the page that shows attention.
pub const PAGE: &str = "<meta name=\"generator\" content=\"workbench::viewer\">";
/// Of a PNG picture.
pub const PICTURE: &str = "Software\0attention";
/// Of a text as numbers of pieces: `corpora::Store`.
pub const NUMBERS: &str = "corpora1";
/// Of results, whatever the program.
pub(crate) const PROGRAM: &str = "\"program\": \"";
/// Of what cannot be marked, such as translations: no file has it.
pub const NONE: &str = "";

/// Of a program's results.
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
/// When something without the mark stands there, that is no file, or is read here; when the folder cannot
/// be written into.
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
