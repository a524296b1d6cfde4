//! Files with our names, in the model's own precision.

use super::named::{Named, assign, parameters};
use super::tensors::{self, Tensors, to_bytes};
use crate::error::{Error, Result};
use crate::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::Module;
use std::path::Path;

/// Writes a model's parameters by their dotted names, and what somebody must know to build the
/// model again.
///
/// ```
/// use workbench::parameters::{load_parameters, read_description, save_parameters};
/// use shared::Linear;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("model.safetensors");
/// let mut trained = Linear::new(3, 2, &mut shared::rng(0));
/// save_parameters(&path, &mut trained, &(3, 2))?;
///
/// let (inputs, outputs): (usize, usize) = read_description(&path)?;
/// let mut model = Linear::new(inputs, outputs, &mut shared::rng(1));
/// load_parameters(&path, &mut model)?;
/// assert_eq!(model.weight.value(), trained.weight.value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be written.
///
/// # Panics
/// When two parameters have the same name.
pub fn save_parameters(
    path: &Path,
    model: &mut impl Module,
    description: &impl Serialize,
) -> Result<()> {
    let parameters = parameters(model);
    let matrices = parameters.iter().map(|named| (named.name.clone(), &*named.value)).collect();
    let text = serde_json::to_string(description).map_err(|error| Error::file(path, error))?;
    files::write(path, &to_bytes(matrices, Some(text)))
}

/// What [`save_parameters`] was told about the model.
///
/// # Errors
/// When the file cannot be read, is no safetensors file, or describes nothing of the type `D`.
pub fn read_description<D: DeserializeOwned>(path: &Path) -> Result<D> {
    let bytes = files::read(path)?;
    let text = tensors::description(path, &bytes)?;
    let text =
        text.ok_or_else(|| Error::file(path, "does not describe the model it belongs to"))?;
    serde_json::from_str(&text)
        .map_err(|error| Error::file(path, format!("describes a model of another kind: {error}")))
}

/// How many numbers the tensors of a file have together: to be compared with what the description
/// promises, before a model is built as it says.
///
/// # Errors
/// When the file cannot be read or is no safetensors file.
pub fn count_parameters(path: &Path) -> Result<u64> {
    tensors::count(path, &files::read(path)?)
}

/// Reads a model's parameters; the model stays as it is unless all of them are there.
///
/// # Errors
/// When the file cannot be read, is no safetensors file or a truncated one; when a tensor is
/// missing, is not the model's, has another shape or type, or an entry that is not finite.
pub fn load_parameters(path: &Path, model: &mut impl Module) -> Result<()> {
    let bytes = files::read(path)?;
    let mut tensors = Tensors::parse(path, &bytes)?;
    let mut take = |named: Named| tensors.take(&named.name, named.value.shape());
    let values = parameters(model).into_iter().map(&mut take).collect::<Result<Vec<_>>>()?;
    tensors.finish()?;
    assign(model, values);
    Ok(())
}
