//! What a comparison found so far, in a folder: it can be stopped, gone on with, and judged again.

use crate::arguments::StudyArgs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::write;
use workbench::folders::{as_written, is_there, read_json};
use workbench::hold::Hold;
use workbench::training::difference;

/// A folder with a file for everything that was found (`--keep`); without one, nothing is kept.
pub struct Kept {
    folder: Option<(PathBuf, Hold)>,
    /// Whether nothing may be added (`--judge`).
    only_read: bool,
}

/// A file in it.
#[derive(Serialize, Deserialize)]
struct Record<T> {
    /// All that decides what is found.
    of: Value,
    found: T,
}

impl Kept {
    /// Opens the folder, and makes it where it is not there.
    ///
    /// # Errors
    /// When it cannot be made or is held by another program; with `--judge`, when it is not there.
    pub fn open(arguments: &StudyArgs) -> Result<Kept> {
        let only_read = arguments.judge;
        let Some(folder) = &arguments.keep else { return Ok(Kept { folder: None, only_read }) };
        if only_read && !is_there(folder)? {
            return Err(Error::file(folder, "holds nothing to judge: there is no such folder"));
        }
        Ok(Kept { folder: Some((folder.clone(), Hold::make(folder)?)), only_read })
    }

    /// The findings that were kept under a name; nothing if they are still to be found.
    ///
    /// # Errors
    /// When it is of another comparison or another version of it, or is missing though nothing may be added.
    pub fn read<T: DeserializeOwned>(&self, name: &str, of: &Value) -> Result<Option<T>> {
        let Some((folder, _)) = &self.folder else { return Ok(None) };
        let path = folder.join(format!("{name}.json"));
        if !is_there(&path)? {
            let missing = "is missing: --judge trains nothing; without it, the comparison goes on";
            return if self.only_read { Err(Error::file(&path, missing)) } else { Ok(None) };
        }
        let record: Record<Value> = read_json(&path)?;
        let other =
            |reason: String| Error::file(&path, reason + "; name another folder to keep this one");
        if let Some(what) = difference(&record.of, &as_written(of)?) {
            return Err(other(format!("is of another comparison: {what}")));
        }
        let found = serde_json::from_value(record.found);
        found
            .map(Some)
            .map_err(|error| other(format!("is of another version of this program ({error})")))
    }

    /// Keeps what was found, the file whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write<T: Serialize>(&self, name: &str, of: &Value, found: &T) -> Result<()> {
        let Some((folder, _)) = &self.folder else { return Ok(()) };
        let json =
            serde_json::to_vec(&Record { of: of.clone(), found }).map_err(Error::argument)?;
        write(&folder.join(format!("{name}.json")), &json)
    }
}
