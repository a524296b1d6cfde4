//! Files with our names, in the model's own precision.

use super::named::{Named, assign, parameters};
use super::tensors::{self, Block, DESCRIPTION, Tensors, pack};
use crate::error::{Error, Result};
use crate::files;
use crate::fingerprint::Fingerprint;
use crate::folders::as_written;
use safetensors::View;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::Module;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What stands beside the parameters.
#[derive(Serialize, Deserialize)]
struct Description {
    /// The fingerprint of the model's description and of all tensors.
    fingerprint: String,
    /// What somebody must know to build the model again.
    model: Value,
}

/// Writes a model's parameters by their dotted names, and what somebody must know to build the
/// model again: one file, there as a whole or not at all.
///
/// ```
/// use workbench::parameters::{ParameterFile, save_parameters};
/// use shared::Linear;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("model.safetensors");
/// let mut trained = Linear::new(3, 2, &mut shared::rng(0));
/// save_parameters(&path, &mut trained, &(3, 2))?;
///
/// let file = ParameterFile::open(&path)?;
/// let (inputs, outputs): (usize, usize) = file.description()?;
/// assert_eq!(file.count(), 3 * 2 + 2);
/// let mut model = Linear::new(inputs, outputs, &mut shared::rng(1));
/// file.load(&mut model)?;
/// assert_eq!(model.weight.value(), trained.weight.value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When two parameters have the same name.
#[doc(alias = "state_dict")]
pub fn save_parameters(
    path: &Path,
    model: &mut impl Module,
    description: &impl Serialize,
) -> Result<()> {
    let description = as_written(description)?;
    let parameters = parameters(model);
    let tensors: Vec<_> =
        parameters.iter().map(|named| (named.name.clone(), Block::all(&named.value))).collect();
    let fingerprint = fingerprint(&description, tensors.iter().cloned());
    let text = serde_json::to_string(&Description { fingerprint, model: description });
    let text = text.map_err(|error| Error::file(path, error))?;
    files::write(path, &pack(tensors, Some((DESCRIPTION, text))))
}

/// The fingerprint of a description, and of the names, types, shapes and numbers of all tensors.
fn fingerprint<N: AsRef<str> + Ord, V: View>(
    description: &Value,
    tensors: impl Iterator<Item = (N, V)>,
) -> String {
    let mut tensors: Vec<(N, V)> = tensors.collect();
    tensors.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut all = Fingerprint::default().and(description.to_string());
    for (name, tensor) in &tensors {
        let head = format!("{} {} {:?}", name.as_ref(), tensor.dtype(), tensor.shape());
        all = all.and(head).and(tensor.data());
    }
    all.to_string()
}

/// The field `model` of a description, from the first bytes of a file: what kind of model it says it is.
pub(crate) fn described_kind(path: &Path) -> Option<String> {
    const LONGEST: u64 = 16 << 20;
    let mut file = File::open(path).ok()?;
    let mut length = [0; 8];
    file.read_exact(&mut length).ok()?;
    let mut header = Vec::new();
    file.take(u64::from_le_bytes(length).min(LONGEST)).read_to_end(&mut header).ok()?;
    let header: Value = serde_json::from_slice(&header).ok()?;
    let text = header["__metadata__"][DESCRIPTION].as_str()?;
    let description: Value = serde_json::from_str(text).ok()?;
    Some(description["model"]["model"].as_str()?.to_owned())
}

/// A file that [`save_parameters`] wrote, read once and found undamaged.
pub struct ParameterFile {
    path: PathBuf,
    bytes: Vec<u8>,
    description: Value,
    count: u64,
}

impl ParameterFile {
    /// Reads the file.
    ///
    /// # Errors
    /// When the file cannot be read, is no safetensors file or a truncated one, does not describe
    /// its model, or is not what was written.
    pub fn open(path: &Path) -> Result<ParameterFile> {
        let bytes = files::read(path)?;
        let tensors = Tensors::parse(path, &bytes)?;
        let text = tensors::description(path, &bytes)?;
        let text =
            text.ok_or_else(|| Error::file(path, "does not describe the model it belongs to"))?;
        let found: Description = serde_json::from_str(&text).map_err(|error| {
            Error::file(path, format!("does not describe its model as this program does: {error}"))
        })?;
        if found.fingerprint != fingerprint(&found.model, tensors.all()) {
            return Err(Error::file(path, "is damaged: it is not what was written"));
        }
        let (count, description) = (tensors.count(), found.model);
        Ok(ParameterFile { path: path.to_owned(), bytes, description, count })
    }

    /// What [`save_parameters`] was given about the model.
    ///
    /// # Errors
    /// When it describes nothing of the type `D`.
    pub fn description<D: DeserializeOwned>(&self) -> Result<D> {
        D::deserialize(&self.description).map_err(|error| {
            Error::file(&self.path, format!("describes a model of another kind: {error}"))
        })
    }

    /// How many numbers all tensors have together: to be compared with what the description
    /// promises, before a model is built as it says.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Gives a model its parameters; it stays as it is unless all of them are there.
    ///
    /// # Errors
    /// When a tensor is missing, is not the model's, has another shape or type, or an entry that is
    /// not finite.
    pub fn load(&self, model: &mut impl Module) -> Result<()> {
        let mut tensors = Tensors::parse(&self.path, &self.bytes)?;
        let mut values = Vec::new();
        for Named { name, value, .. } in parameters(model) {
            values.push(tensors.take(&name, value.shape())?);
        }
        tensors.finish()?;
        assign(model, values);
        Ok(())
    }
}
