//! Nothing that is read is written over, and no model of another program.
//!
//! Whoever opens a file passes [`must_be_a_file`](super::must_be_a_file), whoever writes one
//! [`must_be_replaceable`](super::must_be_replaceable). Both are noted here, by what the file is (its
//! device and its number there) and not by its name: links and other ways to the same folder make no
//! difference, nor does which of the two comes first. So a program that asks for its places before
//! long work is refused before it.

use crate::error::{Error, Result};
use crate::parameters::{MODEL_FILE, described_kind};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct Known {
    /// Files that are read, and files that stand where something will be written, each by a name.
    read: HashMap<Identity, PathBuf>,
    claimed: HashMap<Identity, PathBuf>,
    /// Files that this process wrote, which it may write again also after it read them.
    own: HashMap<Identity, PathBuf>,
}

fn known() -> MutexGuard<'static, Known> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a file is read.
pub(super) fn reading(path: &Path) -> Result<()> {
    let Some(identity) = identity(path) else { return Ok(()) };
    let mut known = known();
    if is_there(known.claimed.get(&identity), &identity) {
        let reason = "would be written over by this program: choose another place for its output";
        return Err(Error::file(path, reason));
    }
    if !is_there(known.own.get(&identity), &identity) {
        known.read.insert(identity, path.to_owned());
    }
    Ok(())
}

/// Notes that a file will be written in a place.
pub(super) fn writing(path: &Path) -> Result<()> {
    let Some(identity) = identity(path) else { return Ok(()) };
    let mut known = known();
    if is_there(known.read.get(&identity), &identity) {
        let reason = "is read by this program and not written over: choose another place";
        return Err(Error::file(path, reason));
    }
    if !is_there(known.own.get(&identity), &identity) {
        known.claimed.insert(identity, path.to_owned());
    }
    Ok(())
}

/// Notes that this process wrote a file, and forgets what was known of one that had its number before.
pub(super) fn written(path: &Path) {
    if let Some(identity) = identity(path) {
        let mut known = known();
        known.read.remove(&identity);
        known.claimed.remove(&identity);
        known.own.insert(identity, path.to_owned());
    }
}

/// Whether the name still leads to the file: numbers of files that are gone are given again.
fn is_there(name: Option<&PathBuf>, identity: &Identity) -> bool {
    name.is_some_and(|name| self::identity(name).as_ref() == Some(identity))
}

#[cfg(unix)]
type Identity = (u64, u64);

/// What file a path leads to, if any.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().filter(Metadata::is_file).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok().filter(|path| path.is_file())
}

/// Refuses to write one of a program's models into a folder that holds another program's; returns whether
/// it holds one of its own. `kinds` are their names: in `model.safetensors` where that describes its
/// model, else in `config.json`.
///
/// # Errors
/// When the folder has a model that is none of these.
pub fn holds_own_model(folder: &Path, kinds: &[&str]) -> Result<bool> {
    let kind = match kind(folder) {
        Some(kind) if !kinds.contains(&&kind[..]) => super::shorten(&kind),
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
