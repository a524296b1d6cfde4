//! The state of a run on disk, so that it can go on after whatever ended it.
//!
//! A folder holds `checkpoint.json`, which names a file of tensors with its length and fingerprint.
//! A new checkpoint is written in three moves:
//!
//! 1. the tensors, under a name of their own, `checkpoint-EPOCH-STEP.safetensors`;
//! 2. `checkpoint.json`, in place of the old one: with this renaming the new checkpoint is the one;
//! 3. the tensors of checkpoints that nobody needs any more go.
//!
//! Killed before 2, a run goes on from the old checkpoint, afterwards from the new one. The one
//! before stays as `checkpoint.previous.json`: a run goes on from there should the newest be damaged.

use crate::error::{Error, Result};
use crate::files;
use crate::fingerprint;
use crate::hold::Hold;
use crate::parameters;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::Matrix;
use std::fs;
use std::path::{Path, PathBuf};

const FORMAT: &str = "run of workbench::training";
const VERSION: u64 = 1;
const RECORD: &str = "checkpoint.json";
const PREVIOUS: &str = "checkpoint.previous.json";

/// A folder for the checkpoints of one run, which nobody else writes to at the same time.
pub(super) struct Folder {
    folder: PathBuf,
    /// The newest checkpoint that is known to be good: the bytes of its record, the name of its
    /// tensors.
    good: Option<(Vec<u8>, String)>,
    _hold: Hold,
}

/// A checkpoint that was read.
pub(super) struct Loaded<S> {
    pub(super) state: S,
    /// The file of tensors and its bytes.
    pub(super) tensors: (PathBuf, Vec<u8>),
    /// The damage of a newer one, in whose stead this was read.
    pub(super) damage: Option<Error>,
    record: Vec<u8>,
}

/// `checkpoint.json`
#[derive(Serialize, Deserialize)]
struct Record<S> {
    format: String,
    version: u64,
    /// The fingerprint of `run`, written without blanks.
    fingerprint: String,
    run: S,
}

#[derive(Serialize, Deserialize)]
struct Run<S> {
    /// The settings that must be the same in a run that goes on from here.
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

/// Where a checkpoint lies: in a folder, or in one directly below it.
pub fn find_checkpoint(folder: &Path) -> Option<PathBuf> {
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    [folder.to_owned()].into_iter().chain(below).find(|folder| is_checkpoint(folder))
}

fn is_checkpoint(folder: &Path) -> bool {
    [RECORD, PREVIOUS].iter().any(|record| folder.join(record).exists())
}

/// The file of a folder that a person would look at.
pub(super) fn record(folder: &Path) -> PathBuf {
    folder.join(RECORD)
}

/// The refusal to write over a checkpoint.
pub(crate) fn occupied(folder: &Path) -> Error {
    let reason = "holds a checkpoint: add --resume to go on from it, or choose another folder";
    Error::file(folder, reason)
}

impl Folder {
    pub(super) fn open(folder: &Path) -> Result<Folder> {
        let hold = Hold::make(folder)?;
        let tensors = files::names(folder).filter(|name| is_tensors(name)); // which go in time
        for name in [RECORD, PREVIOUS].map(str::to_owned).into_iter().chain(tensors) {
            files::must_be_replaceable(&folder.join(name))?;
        }
        Ok(Folder { folder: folder.to_owned(), good: None, _hold: hold })
    }

    /// Whether there is anything to go on from.
    pub(super) fn is_begun(&self) -> bool {
        is_checkpoint(&self.folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    fn record(&self) -> PathBuf {
        record(&self.folder)
    }

    // ANCHOR: save
    /// Saves a checkpoint in place of the last one. `name` is different for each.
    pub(super) fn save(
        &mut self,
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
        let record = to_json(&Run { fixed: fixed.clone(), state, tensors })?;
        if let Some((last, _)) = &self.good {
            files::write(&self.folder.join(PREVIOUS), last)?;
        }
        files::write(&self.record(), &record)?; // from here on, this is the checkpoint
        let last = self.good.replace((record, file.clone()));
        let keep = [Some(file), last.map(|(_, file)| file)];
        files::remove_files(&self.folder, |name| {
            is_tensors(name) && !keep.iter().flatten().any(|kept| kept == name)
        });
        Ok(())
    }
    // ANCHOR_END: save

    /// The newest checkpoint in the folder that is not damaged; `None` when there is none at all.
    pub(super) fn load<S: DeserializeOwned>(&mut self, fixed: &Value) -> Result<Option<Loaded<S>>> {
        if !self.is_begun() {
            return Ok(None);
        }
        let found = match self.read(RECORD, fixed)? {
            Ok(found) => found,
            Err(damage) if !self.folder.join(PREVIOUS).exists() => return Err(damage),
            Err(damage) => match self.read(PREVIOUS, fixed)? {
                Ok(found) => Loaded { damage: Some(damage), ..found },
                Err(_) => return Err(damage),
            },
        };
        let file = found.tensors.0.file_name().unwrap_or_default().to_string_lossy();
        self.good = Some((found.record.clone(), file.into_owned()));
        Ok(Some(found))
    }

    /// A record and its tensors. The inner error is damage, the outer one a checkpoint that is whole
    /// and none of this run's.
    fn read<S: DeserializeOwned>(&self, record: &str, fixed: &Value) -> Result<Result<Loaded<S>>> {
        let path = self.folder.join(record);
        let read = files::read(&path);
        let (run, bytes) = match read.and_then(|bytes| Ok((undamaged_run(&path, &bytes)?, bytes))) {
            Ok((run, bytes)) => (run, bytes),
            Err(damage) => return Ok(Err(damage)),
        };
        let run: Run<S> = of_this_run(&path, &run, fixed)?;
        let place = self.folder.join(&run.tensors.file);
        let tensors = undamaged_tensors(&place, &run.tensors);
        Ok(tensors.map(|tensors| {
            let (state, tensors) = (run.state, (place, tensors));
            Loaded { state, tensors, damage: None, record: bytes }
        }))
    }
}

/// Whether a name is one of [`Folder::save`]: `checkpoint-0002-000000.safetensors`.
fn is_tensors(name: &str) -> bool {
    let place = name.strip_prefix("checkpoint-").and_then(|n| n.strip_suffix(".safetensors"));
    let number = |digits: &str, length| {
        digits.len() >= length && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let place = place.and_then(|place| place.split_once('-'));
    place.is_some_and(|(epoch, step)| number(epoch, 4) && number(step, 6))
}

fn undamaged_tensors(path: &Path, listed: &Listed) -> Result<Vec<u8>> {
    let bytes = files::read(path)?;
    if bytes.len() as u64 != listed.bytes {
        let reason = format!("has {} bytes, {} were written", bytes.len(), listed.bytes);
        return Err(Error::file(path, reason));
    }
    if fingerprint(&bytes) == listed.fingerprint {
        Ok(bytes)
    } else {
        Err(Error::file(path, DAMAGED))
    }
}

const DAMAGED: &str = "is damaged: it is not what was written";

fn to_json(run: &impl Serialize) -> Result<Vec<u8>> {
    let run = serde_json::to_value(run).map_err(Error::argument)?;
    let fingerprint = fingerprint(run.to_string().as_bytes());
    let record = Record { format: FORMAT.to_owned(), version: VERSION, fingerprint, run };
    serde_json::to_vec_pretty(&record).map_err(Error::argument)
}

/// The run of a record, as it was written.
fn undamaged_run(path: &Path, bytes: &[u8]) -> Result<Value> {
    let refuse = |reason: String| Error::file(path, reason);
    let mut record: Value = serde_json::from_slice(bytes).map_err(|error| {
        Error::line(path, error.line() as u64, format!("this is no JSON: {error}"))
    })?;
    if record["format"] != FORMAT {
        return Err(refuse("this is no checkpoint of a training run".to_owned()));
    }
    if record["version"] != VERSION {
        let version = &record["version"];
        return Err(refuse(format!("has format version {version}, this program reads {VERSION}")));
    }
    let run = record["run"].take();
    if record["fingerprint"] == fingerprint(run.to_string().as_bytes()) {
        Ok(run)
    } else {
        Err(refuse(DAMAGED.to_owned()))
    }
}

fn of_this_run<S: DeserializeOwned>(path: &Path, run: &Value, fixed: &Value) -> Result<Run<S>> {
    let refuse = |reason: String| Error::file(path, reason);
    if let Some(difference) = difference(&run["fixed"], fixed) {
        return Err(refuse(format!("belongs to another run: {difference}")));
    }
    Run::deserialize(run).map_err(|error| refuse(format!("cannot be understood: {error}")))
}

/// Where two values differ first, by its path: `model.hidden is 64 there and 32 here`.
pub fn difference(there: &Value, here: &Value) -> Option<String> {
    differences(there, here).into_iter().next()
}

/// Where two values differ, each place by its path.
pub fn differences(there: &Value, here: &Value) -> Vec<String> {
    let mut all = Vec::new();
    compare("", there, here, &mut all);
    all
}

fn compare(path: &str, there: &Value, here: &Value, all: &mut Vec<String>) {
    if let (Value::Object(a), Value::Object(b)) = (there, here) {
        let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
        let dot = if path.is_empty() { "" } else { "." };
        keys.for_each(|key| compare(&format!("{path}{dot}{key}"), &there[key], &here[key], all));
    } else if there != here {
        all.push(format!("{path} is {} there and {} here", shown(there), shown(here)));
    }
}

/// A value as it was given: 0.15, where an f32 that went through an f64 would read 0.15000000596.
fn shown(value: &Value) -> String {
    match value.as_f64().filter(|x| value.is_f64() && f64::from(*x as f32) == *x) {
        Some(x) => format!("{:?}", x as f32),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Single precision as it was typed, double precision and whole numbers with all their digits.
    #[test]
    fn numbers_are_told_as_they_were_given() {
        let values = [json!(f64::from(0.15_f32)), json!(4.0), json!(0.1), json!(u64::MAX - 1)];
        let told = values.map(|value| shown(&value));
        assert_eq!(told, ["0.15", "4.0", "0.1", "18446744073709551614"]);
    }

    #[test]
    fn every_difference_is_told_by_its_path() {
        let there = json!({"a": 1, "b": {"c": 2, "d": [1, 2]}, "e": 0});
        let here = json!({"a": 2, "b": {"c": 3, "d": [1, 2]}, "f": 5});
        let all = differences(&there, &here);
        let wanted = [
            "a is 1 there and 2 here",
            "b.c is 2 there and 3 here",
            "e is 0 there and null here",
            "f is null there and 5 here",
        ];
        assert_eq!(all, wanted);
        assert_eq!(difference(&here, &here), None);
    }
}
