//! The state of a run on disk, so that it can go on after whatever ended it.
//!
//! A folder holds `checkpoint.json`, which names a file of tensors with its length and fingerprint.
//! A new checkpoint is written in three moves:
//!
//! 1. the tensors, under a name of their own, `checkpoint-EPOCH-STEP.safetensors`;
//! 2. `checkpoint.json`, in place of the old one: with this renaming the new checkpoint is the one;
//! 3. the old file of tensors goes.
//!
//! Killed before 2, a run goes on from the old checkpoint, afterwards from the new one.

use crate::error::{Error, Result};
use crate::files::{self, plain};
use crate::fingerprint;
use crate::parameters;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::Matrix;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

const FORMAT: &str = "run of workbench::training";
const VERSION: u64 = 1;
const RECORD: &str = "checkpoint.json";

/// A folder for the checkpoints of one run, which nobody else writes to at the same time.
pub(super) struct Folder {
    folder: PathBuf,
    _lock: Option<File>,
}

/// `checkpoint.json`
#[derive(Serialize, Deserialize)]
struct Record<S> {
    format: String,
    version: u64,
    /// Of `run`, written without blanks.
    fingerprint: String,
    run: S,
}

#[derive(Serialize, Deserialize)]
struct Run<S> {
    /// What must be the same in a run that goes on from here.
    fixed: Value,
    state: S,
    tensors: Listed,
}

/// A file of tensors as it must be.
#[derive(Serialize, Deserialize)]
struct Listed {
    file: String,
    bytes: u64,
    fingerprint: String,
}

/// Whether a checkpoint lies in a folder, or in the folder of one of its parts.
pub fn holds_checkpoint(folder: &Path) -> bool {
    let below = || fs::read_dir(folder).into_iter().flatten().flatten();
    folder.join(RECORD).exists() || below().any(|entry| entry.path().join(RECORD).exists())
}

/// The refusal to write over a checkpoint.
pub(crate) fn occupied(folder: &Path) -> Error {
    let reason = "holds a checkpoint: add --resume to go on from it, or choose another folder";
    Error::file(folder, reason)
}

impl Folder {
    pub(super) fn open(folder: &Path) -> Result<Folder> {
        let refuse = |error: std::io::Error| {
            Error::file(folder, format!("cannot be written to: {}", plain(&error)))
        };
        fs::create_dir_all(folder).map_err(refuse)?;
        let lock = File::create(folder.join("checkpoint.lock")).map_err(refuse)?;
        let lock = match lock.try_lock() {
            Ok(()) => Some(lock),
            Err(TryLockError::WouldBlock) => {
                return Err(Error::file(folder, "another run is keeping its checkpoints here"));
            }
            Err(TryLockError::Error(_)) => None, // a file system without locks
        };
        Ok(Folder { folder: folder.to_owned(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// The file that a person would look at.
    pub(super) fn record(&self) -> PathBuf {
        self.folder.join(RECORD)
    }

    // ANCHOR: save
    /// Saves a checkpoint in place of the last one. `name` is different for each.
    pub(super) fn save(
        &self,
        name: &str,
        fixed: &Value,
        state: &impl Serialize,
        matrices: Vec<(String, &Matrix)>,
    ) -> Result<()> {
        let file = format!("checkpoint-{name}.safetensors");
        let bytes = parameters::to_bytes(matrices, None);
        files::write(&self.folder.join(&file), &bytes)?;
        let (length, fingerprint) = (bytes.len() as u64, fingerprint(&bytes));
        let tensors = Listed { file: file.clone(), bytes: length, fingerprint };
        let run = Run { fixed: fixed.clone(), state, tensors };
        files::write(&self.record(), &to_json(&run)?)?; // from here on, this is the checkpoint
        self.remove_all_but(&file);
        Ok(())
    }
    // ANCHOR_END: save

    /// Removes the tensors of former checkpoints, and what a killed run left half-written.
    fn remove_all_but(&self, keep: &str) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let old = name.starts_with("checkpoint-") && name.ends_with(".safetensors");
            if (old && name != keep) || name.starts_with(".checkpoint") {
                let _ = fs::remove_file(entry.path()); // at worst it stays
            }
        }
    }

    /// The state of the checkpoint in the folder, and the bytes of its tensors; `None` when there
    /// is no checkpoint.
    pub(super) fn load<S: DeserializeOwned>(
        &self,
        fixed: &Value,
    ) -> Result<Option<(S, PathBuf, Vec<u8>)>> {
        let path = self.record();
        if !path.exists() {
            return Ok(None);
        }
        let run: Run<S> = from_json(&path, fixed)?;
        let listed = run.tensors;
        if Path::new(&listed.file).file_name() != Some(listed.file.as_ref()) {
            return Err(Error::file(&path, "names tensors outside of its folder"));
        }
        let place = self.folder.join(&listed.file);
        let bytes = files::read(&place)?;
        if bytes.len() as u64 != listed.bytes {
            let reason = format!("has {} bytes, {} were written", bytes.len(), listed.bytes);
            return Err(Error::file(&place, reason));
        }
        if fingerprint(&bytes) != listed.fingerprint {
            return Err(Error::file(&place, "is damaged: it is not what was written"));
        }
        Ok(Some((run.state, place, bytes)))
    }
}

fn to_json(run: &impl Serialize) -> Result<Vec<u8>> {
    let run = serde_json::to_value(run).map_err(Error::argument)?;
    let fingerprint = fingerprint(run.to_string().as_bytes());
    let record = Record { format: FORMAT.to_owned(), version: VERSION, fingerprint, run };
    serde_json::to_vec_pretty(&record).map_err(Error::argument)
}

fn from_json<S: DeserializeOwned>(path: &Path, fixed: &Value) -> Result<Run<S>> {
    let refuse = |reason: String| Error::file(path, reason);
    let bytes = files::read(path)?;
    let record: Value = serde_json::from_slice(&bytes).map_err(|error| {
        Error::line(path, error.line() as u64, format!("this is no JSON: {error}"))
    })?;
    if record["format"] != FORMAT {
        return Err(refuse("this is no checkpoint of a training run".to_owned()));
    }
    if record["version"] != VERSION {
        let version = &record["version"];
        return Err(refuse(format!("has format version {version}, this program reads {VERSION}")));
    }
    let run = &record["run"];
    if record["fingerprint"] != fingerprint(run.to_string().as_bytes()) {
        return Err(refuse("is damaged: it is not what was written".to_owned()));
    }
    if let Some(difference) = difference("", &run["fixed"], fixed) {
        return Err(refuse(format!("belongs to another run: {difference}")));
    }
    Run::deserialize(run).map_err(|error| refuse(format!("cannot be understood: {error}")))
}

/// Where two values differ first, by its path: `model.hidden is 64 there and 32 here`.
pub(super) fn difference(path: &str, there: &Value, here: &Value) -> Option<String> {
    if let (Value::Object(a), Value::Object(b)) = (there, here) {
        let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
        let dot = if path.is_empty() { "" } else { "." };
        let entry = |key| difference(&format!("{path}{dot}{key}"), &there[key], &here[key]);
        return keys.map(String::as_str).find_map(entry);
    }
    (there != here).then(|| format!("{path} is {there} there and {here} here"))
}
