//! What a comparison keeps, so that it can be stopped, gone on with, and judged again.

use crate::error::{Error, Result};
use crate::files::write;
use crate::fingerprint;
use crate::folders::{as_written, is_there, read_json};
use crate::hold::Hold;
use crate::training::difference;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder with a file for everything that was found, which is read and added to.
pub(super) struct Kept {
    folder: PathBuf,
    /// Whether nothing may be added.
    only_read: bool,
    _hold: Hold,
}

/// A file in it.
#[derive(Serialize, Deserialize)]
struct Record<T> {
    /// All that decides what is found.
    of: Value,
    /// How long the comparison had worked until then.
    seconds: f64,
    /// Of `found`, written without blanks.
    fingerprint: String,
    found: T,
}

impl Kept {
    pub(super) fn open(folder: &Path, only_read: bool) -> Result<Kept> {
        if only_read && !is_there(folder)? {
            return Err(Error::file(folder, "holds nothing to judge: there is no such folder"));
        }
        let hold = Hold::make(folder)?;
        Ok(Kept { folder: folder.to_owned(), only_read, _hold: hold })
    }

    /// What was kept under a name, and after how many seconds; nothing if that is still to be found.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        name: &str,
        of: &Value,
    ) -> Result<Option<(T, f64)>> {
        let path = self.folder.join(format!("{name}.json"));
        if !is_there(&path)? {
            let missing = "is missing: --judge trains nothing; without it, the comparison goes on";
            return if self.only_read { Err(Error::file(&path, missing)) } else { Ok(None) };
        }
        let Record { of: there, seconds, fingerprint: its, found }: Record<Value> =
            read_json(&path)?;
        if let Some(what) = difference(&there, &as_written(of)?) {
            let reason =
                format!("is of another comparison: {what}; name another folder to keep this one");
            return Err(Error::file(&path, reason));
        }
        if its != fingerprint(found.to_string().as_bytes()) {
            return Err(Error::file(&path, "is damaged: it is not what was written"));
        }
        let found = serde_json::from_value(found).map_err(|error| {
            let reason =
                "is of another version of this program; name another folder to keep this one";
            Error::file(&path, format!("{reason} ({error})"))
        })?;
        Ok(Some((found, seconds)))
    }

    pub(super) fn write<T: Serialize>(
        &self,
        name: &str,
        of: &Value,
        seconds: f64,
        found: &T,
    ) -> Result<()> {
        let found = as_written(found)?;
        let fingerprint = fingerprint(found.to_string().as_bytes());
        let record = Record { of: of.clone(), seconds, fingerprint, found };
        let json = serde_json::to_vec(&record).map_err(Error::argument)?;
        write(&self.folder.join(format!("{name}.json")), &json)
    }
}
