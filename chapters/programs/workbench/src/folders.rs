//! Folders of files that belong together, as a reader meets them: what is there, what stands in its
//! place, and all of it as one writer left it.

use crate::error::{Error, Result};
use crate::files::{cannot_read, read};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Whether an optional file is there. `Path::exists` says no as well where nobody can know.
///
/// # Errors
/// When it is a link that leads nowhere, or its folder cannot be looked into or is a file.
pub fn is_there(path: &Path) -> Result<bool> {
    let Err(error) = fs::metadata(path) else { return Ok(true) };
    match error.kind() {
        ErrorKind::NotFound if path.is_symlink() => {
            Err(Error::file(path, "is a link that leads nowhere"))
        }
        ErrorKind::NotFound => Ok(false),
        _ => Err(Error::file(path, cannot_read(path, &error))),
    }
}

/// Refuses what others leave in a file's place where they did not fetch the file itself.
///
/// # Errors
/// When the bytes are a pointer of Git LFS, or a page of HTML.
pub fn must_be_itself(path: &Path, bytes: &[u8]) -> Result<()> {
    let begin = String::from_utf8_lossy(&bytes[..bytes.len().min(64)]).to_lowercase();
    let begins = |with: &str| begin.trim_start_matches('\u{feff}').trim_start().starts_with(with);
    let found = if begins("version https://git-lfs") {
        "is a pointer of Git LFS, not the file itself: fetch that with `git lfs pull`"
    } else if begins("<!doctype html") || begins("<html") {
        "is a page of HTML, not the file itself: download that again"
    } else {
        return Ok(());
    };
    Err(Error::file(path, found))
}

/// What a file of JSON holds.
///
/// # Errors
/// When it cannot be read, is no JSON, or holds something else.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = read(path)?;
    must_be_itself(path, &bytes)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Error::line(path, error.line() as u64, format!("not the JSON it should be: {reason}"))
    })
}

/// A value as it will be read: by way of its text, in which single precision has no more digits
/// than it needs.
pub fn as_written(value: &impl Serialize) -> Result<Value> {
    let text = serde_json::to_string(value).map_err(Error::argument)?;
    serde_json::from_str(&text).map_err(Error::argument)
}

/// Reads files that [`write_together`](crate::files::write_together) may be replacing at the same time:
/// again, where their seal was not the same file before and after. As the seal goes before any other file
/// is moved and comes back after all of them, what was read under one seal is of one writing.
///
/// # Errors
/// What `read` returns; or that the files are replaced again and again.
pub fn read_together<T>(seal: &Path, read: impl Fn() -> Result<T>) -> Result<T> {
    const TIMES: usize = 20;
    const PAUSE: Duration = Duration::from_millis(30);
    if fs::metadata(seal).is_ok_and(|found| !found.is_file()) {
        return read(); // which says what it is: a pipe would be waited for here
    }
    for _ in 0..TIMES {
        match File::open(seal) {
            Ok(before) => {
                let result = read();
                if is_still(&before, seal) {
                    return result;
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {} // on its way, or not there at all
            Err(_) => return read(),
        }
        sleep(PAUSE);
    }
    if is_there(seal)? {
        Err(Error::file(seal, "is replaced again and again while it is read: try later"))
    } else {
        read()
    }
}

/// Whether a file that was opened is the one that stands at a path: as long as it is open, no other has
/// its number.
fn is_still(open: &File, path: &Path) -> bool {
    #[cfg(unix)]
    fn number(file: &fs::Metadata) -> impl PartialEq {
        use std::os::unix::fs::MetadataExt;
        (file.dev(), file.ino())
    }
    #[cfg(not(unix))]
    fn number(file: &fs::Metadata) -> impl PartialEq {
        (file.len(), file.modified().ok())
    }
    matches!((open.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if number(&a) == number(&b))
}
