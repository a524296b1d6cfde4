//! Parameters of others in several files, and the index that says which tensor lies in which.

use super::tensors::Tensors;
use crate::error::{Error, Result};
use crate::files::{read, shorten};
use crate::folders::read_json;
use safetensors::serialize;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// `model.safetensors.index.json`.
#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

/// The bytes that one file with all tensors of an index would have.
///
/// # Errors
/// When the index or a file that it names cannot be read, is damaged, or lacks a tensor.
pub fn read_shards(index: &Path) -> Result<Vec<u8>> {
    let Index { weight_map } = read_json(index)?;
    let mut files = BTreeMap::new();
    for name in BTreeSet::from_iter(weight_map.values()) {
        if Path::new(name).file_name() != Some(name.as_ref()) {
            let reason = format!("names `{}`, which is no file beside it", shorten(name));
            return Err(Error::file(index, reason));
        }
        let path = index.with_file_name(name);
        let bytes = read(&path)?;
        files.insert(name, (path, bytes));
    }
    let mut shards = BTreeMap::new();
    for (name, (path, bytes)) in &files {
        shards.insert(*name, Tensors::parse(path, bytes)?);
    }
    let mut tensors = Vec::new();
    for (name, shard) in &weight_map {
        let tensor = shards[shard].find(name).map_err(|reason| {
            Error::file(&files[shard].0, format!("{reason}, as the index says"))
        })?;
        tensors.push((name, tensor));
    }
    serialize(tensors, None).map_err(|error| Error::file(index, error))
}
