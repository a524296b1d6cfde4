//! Matrices by name in a file of the format *safetensors*, which other libraries read and write.
//!
//! A matrix (rows, columns) becomes a tensor of the shape `[rows, columns]`, row after row, as
//! PyTorch keeps its own. So the weight of a `Linear` is the tensor PyTorch expects; biases and
//! other columns have the shape `[n, 1]` here and `[n]` there.

use crate::error::{Error, Result};
use crate::files;
use safetensors::tensor::{Dtype, SafeTensors, View};
use safetensors::{SafeTensorError, serialize};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::{Float, Matrix, Module, Param, ParamId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

const DTYPE: Dtype = if size_of::<Float>() == 4 { Dtype::F32 } else { Dtype::F64 };
const DESCRIPTION: &str = "description";

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
    let (_, header) =
        SafeTensors::read_metadata(&bytes).map_err(|error| Error::file(path, told(&error)))?;
    let text = header.metadata().as_ref().and_then(|entries| entries.get(DESCRIPTION));
    let text =
        text.ok_or_else(|| Error::file(path, "does not describe the model it belongs to"))?;
    serde_json::from_str(text)
        .map_err(|error| Error::file(path, format!("describes a model of another kind: {error}")))
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

/// A parameter as files know it. The value is shared, not copied.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) id: ParamId,
    pub(crate) value: Arc<Matrix>,
}

/// All parameters of a model, in the order of the visit.
pub(crate) fn parameters(model: &mut impl Module) -> Vec<Named> {
    let mut all = Vec::new();
    model.for_each_parameter(|name, param| {
        all.push(Named { name: name.to_owned(), id: param.id(), value: param.shared_value() });
    });
    all
}

/// Gives every parameter its value, in the order of the visit.
pub(crate) fn assign(model: &mut impl Module, values: Vec<Matrix>) {
    let mut values = values.into_iter();
    let mut next = |param: &mut Param| {
        *param.value_mut() = values.next().expect("a value for each parameter");
    };
    model.for_each_parameter(|_, param| next(param));
}

/// The bytes of a file with these tensors.
pub(crate) fn to_bytes(matrices: Vec<(String, &Matrix)>, description: Option<String>) -> Vec<u8> {
    let mut names = HashSet::new();
    for (name, _) in &matrices {
        assert!(names.insert(name), "two parameters are named `{name}`");
    }
    let tensors = matrices.into_iter().map(|(name, matrix)| (name, RowMajor::of(matrix)));
    let metadata = description.map(|text| HashMap::from([(DESCRIPTION.to_owned(), text)]));
    serialize(tensors, metadata).expect("names, shapes and lengths fit together")
}

struct RowMajor<'a> {
    matrix: &'a Matrix,
    shape: [usize; 2],
}

impl RowMajor<'_> {
    fn of(matrix: &Matrix) -> RowMajor<'_> {
        RowMajor { matrix, shape: [matrix.nrows(), matrix.ncols()] }
    }
}

impl View for RowMajor<'_> {
    fn dtype(&self) -> Dtype {
        DTYPE
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let rows = self.matrix.transpose(); // a matrix is kept column after column
        let mut bytes = vec![0; self.data_len()];
        for (place, x) in bytes.chunks_exact_mut(size_of::<Float>()).zip(&rows) {
            place.copy_from_slice(&x.to_le_bytes());
        }
        Cow::Owned(bytes)
    }

    fn data_len(&self) -> usize {
        self.matrix.len() * size_of::<Float>()
    }
}

/// The tensors of a file, taken out one by one.
pub(crate) struct Tensors<'a> {
    path: &'a Path,
    file: SafeTensors<'a>,
    left: HashSet<String>,
}

impl<'a> Tensors<'a> {
    pub(crate) fn parse(path: &'a Path, bytes: &'a [u8]) -> Result<Tensors<'a>> {
        let refuse = |error: SafeTensorError| Error::file(path, told(&error));
        let file = SafeTensors::deserialize(bytes).map_err(refuse)?;
        let left = file.names().iter().map(|name| name.to_string()).collect();
        Ok(Tensors { path, file, left })
    }

    pub(crate) fn take(&mut self, name: &str, shape: (usize, usize)) -> Result<Matrix> {
        self.left.remove(name);
        self.get(name, shape).map_err(|reason| Error::file(self.path, reason))
    }

    fn get(
        &self,
        name: &str,
        (rows, columns): (usize, usize),
    ) -> std::result::Result<Matrix, String> {
        let tensor = self.file.tensor(name);
        let tensor = tensor.map_err(|_| format!("there is no tensor `{name}`"))?;
        if tensor.dtype() != DTYPE {
            return Err(format!("tensor `{name}` is {}, {DTYPE} is needed", tensor.dtype()));
        }
        if tensor.shape() != [rows, columns] {
            let shape = tensor.shape();
            return Err(format!("tensor `{name}` is {shape:?}, [{rows}, {columns}] is needed"));
        }
        let number = |bytes: &[u8]| Float::from_le_bytes(bytes.try_into().expect("a whole number"));
        let numbers = tensor.data().chunks_exact(size_of::<Float>()).map(number);
        let matrix = Matrix::from_iterator(columns, rows, numbers).transpose();
        match matrix.iter().find(|x| !x.is_finite()) {
            Some(x) => Err(format!("tensor `{name}` holds {x}")),
            None => Ok(matrix),
        }
    }

    /// Nothing may be left over: whatever it was meant for, the model lacks it.
    pub(crate) fn finish(self) -> Result<()> {
        match self.left.iter().min() {
            Some(name) => {
                Err(Error::file(self.path, format!("tensor `{name}` is none of this model's")))
            }
            None => Ok(()),
        }
    }
}

/// What is wrong with a file that does not parse.
fn told(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::MetadataIncompleteBuffer => {
            "the file is truncated, or something stands behind its end".to_owned()
        }
        SafeTensorError::HeaderTooSmall | SafeTensorError::InvalidHeaderLength => {
            "this is no safetensors file, or no more than its beginning".to_owned()
        }
        error => format!("this is no safetensors file: {error}"),
    }
}
