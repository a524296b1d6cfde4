//! The bytes of a file: tensors by name, and what may be wrong with them. The crate `safetensors` parses
//! and validates.

use crate::error::{self, Error};
use crate::folders::must_be_itself;
use half::{bf16, f16};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, View};
use safetensors::{SafeTensorError, serialize};
use shared::{Float, Matrix};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// The type of the numbers that are written.
const DTYPE: Dtype = if size_of::<Float>() == 4 { Dtype::F32 } else { Dtype::F64 };
/// The types that others keep parameters in.
pub(super) const FLOATS: [Dtype; 4] = [Dtype::F32, Dtype::F64, Dtype::F16, Dtype::BF16];

pub(super) const DESCRIPTION: &str = "description";

/// The bytes of a file with these tensors.
pub(crate) fn to_bytes(matrices: Vec<(String, &Matrix)>, description: Option<String>) -> Vec<u8> {
    let tensors = matrices.into_iter().map(|(name, matrix)| (name, Block::all(matrix))).collect();
    pack(tensors, description.map(|text| (DESCRIPTION, text)))
}

/// The bytes of a file with these tensors and a remark.
///
/// # Panics
/// When two tensors have the same name.
pub(super) fn pack(tensors: Vec<(String, Block)>, remark: Option<(&str, String)>) -> Vec<u8> {
    let mut names = HashSet::new();
    for (name, _) in &tensors {
        assert!(names.insert(name), "two parameters are named `{name}`");
    }
    let remarks = remark.map(|(key, text)| HashMap::from([(key.to_owned(), text)]));
    serialize(tensors, remarks).expect("names, shapes and lengths fit together")
}

/// Rows of a matrix, as they become a tensor.
#[derive(Clone)]
pub(super) struct Block<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) rows: Range<usize>,
    /// The tensor's shape, of as many numbers as the rows hold.
    pub(super) shape: Vec<usize>,
    /// Whether a column of the matrix is a row of the tensor.
    pub(super) transposed: bool,
}

impl Block<'_> {
    pub(super) fn all(matrix: &Matrix) -> Block<'_> {
        let (rows, columns) = matrix.shape();
        Block { matrix, rows: 0..rows, shape: vec![rows, columns], transposed: false }
    }
}

impl View for Block<'_> {
    fn dtype(&self) -> Dtype {
        DTYPE
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let rows = self.matrix.rows_range(self.rows.clone());
        let bytes = if self.transposed {
            little_endian(rows.iter()) // a matrix is kept column after column …
        } else {
            little_endian(rows.transpose().iter()) // … and a tensor row after row
        };
        Cow::Owned(bytes)
    }

    fn data_len(&self) -> usize {
        self.rows.len() * self.matrix.ncols() * size_of::<Float>()
    }
}

fn little_endian<'a>(numbers: impl ExactSizeIterator<Item = &'a Float>) -> Vec<u8> {
    let mut bytes = vec![0; numbers.len() * size_of::<Float>()];
    for (place, x) in bytes.chunks_exact_mut(size_of::<Float>()).zip(numbers) {
        place.copy_from_slice(&x.to_le_bytes());
    }
    bytes
}

/// The tensors of a file, taken out one by one.
pub(crate) struct Tensors<'a> {
    path: &'a Path,
    file: SafeTensors<'a>,
    left: HashSet<String>,
}

impl<'a> Tensors<'a> {
    pub(crate) fn parse(path: &'a Path, bytes: &'a [u8]) -> error::Result<Tensors<'a>> {
        must_be_itself(path, bytes)?;
        let file = SafeTensors::deserialize(bytes);
        let file = file.map_err(|error| Error::file(path, told(&error)))?;
        let left = file.names().iter().map(|name| name.to_string()).collect();
        Ok(Tensors { path, file, left })
    }

    /// The matrix of the shape (rows, columns) that we wrote by this name.
    pub(crate) fn take(
        &mut self,
        name: &str,
        (rows, columns): (usize, usize),
    ) -> error::Result<Matrix> {
        let matrix = self.take_as(name, &[DTYPE], &[rows, columns], false);
        matrix.map_err(|reason| Error::file(self.path, reason))
    }

    /// The matrix of a tensor of one of these types: `[r, c]` → (r, c), `[n]` → (n, 1), or the
    /// transpose of it. An error is what is wrong, without the path.
    pub(super) fn take_as(
        &mut self,
        name: &str,
        dtypes: &[Dtype],
        shape: &[usize],
        transposed: bool,
    ) -> Result<Matrix, String> {
        let tensor = self.find_as(name, dtypes, shape)?;
        let dtype = tensor.dtype();
        let numbers = decode(dtype, tensor.data()).map_err(|x| {
            if x.is_finite() {
                format!("tensor `{name}` holds {x:e}, which is too large for {DTYPE}")
            } else {
                format!("tensor `{name}` holds {x}")
            }
        })?;
        self.left.remove(name);
        let columns = shape.get(1).copied().unwrap_or(1);
        let matrix = Matrix::from_vec(columns, shape[0], numbers); // a row of theirs is a column
        Ok(if transposed { matrix } else { matrix.transpose() })
    }

    /// A tensor of any type and shape. An error is what is wrong, without the path.
    pub(super) fn find(&self, name: &str) -> Result<TensorView<'_>, String> {
        self.file.tensor(name).map_err(|_| format!("there is no tensor `{name}`"))
    }

    /// A tensor of one of these types and of this shape. An error is what is wrong, without the path.
    pub(super) fn find_as(
        &self,
        name: &str,
        dtypes: &[Dtype],
        shape: &[usize],
    ) -> Result<TensorView<'_>, String> {
        let tensor = self.find(name)?;
        let (dtype, found) = (tensor.dtype(), tensor.shape());
        if !dtypes.contains(&dtype) {
            let needed: Vec<String> = dtypes.iter().map(Dtype::to_string).collect();
            return Err(format!("tensor `{name}` is {dtype}, {} is needed", needed.join(" or ")));
        }
        if found != shape {
            let found = shape_in_words(found);
            return Err(format!("tensor `{name}` is {found}, {shape:?} is needed"));
        }
        Ok(tensor)
    }

    /// How many numbers all tensors have together.
    pub(super) fn count(&self) -> u64 {
        let counts = self.all().map(|(_, tensor)| tensor.shape().iter().product::<usize>() as u64);
        counts.sum() // all are parts of the file: no overflow
    }

    /// Every tensor by its name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, TensorView<'_>)> {
        self.file.iter()
    }

    /// The names of all tensors that have not been taken, in alphabetical order.
    pub(super) fn left(&self) -> Vec<String> {
        let mut left: Vec<String> = self.left.iter().cloned().collect();
        left.sort();
        left
    }

    /// Nothing may be left over: whatever it was meant for, the model lacks it.
    pub(crate) fn finish(self) -> error::Result<()> {
        match self.left.iter().min() {
            Some(name) => {
                Err(Error::file(self.path, format!("tensor `{name}` is none of this model's")))
            }
            None => Ok(()),
        }
    }
}

/// The description in a file that [`to_bytes`] made.
pub(super) fn description(path: &Path, bytes: &[u8]) -> error::Result<Option<String>> {
    let read = SafeTensors::read_metadata(bytes);
    let (_, header) = read.map_err(|error| Error::file(path, told(&error)))?;
    Ok(header.metadata().as_ref().and_then(|remarks| remarks.get(DESCRIPTION).cloned()))
}

/// The numbers of a tensor, or the first that is not finite here. Single and both half precisions
/// are exact in single precision; double precision is rounded.
fn decode(dtype: Dtype, bytes: &[u8]) -> Result<Vec<Float>, f64> {
    match dtype {
        Dtype::F16 => numbers(bytes, |x| f16::from_le_bytes(x).to_f64()),
        Dtype::BF16 => numbers(bytes, |x| bf16::from_le_bytes(x).to_f64()),
        Dtype::F32 => numbers(bytes, |x| f32::from_le_bytes(x).into()),
        Dtype::F64 => numbers(bytes, f64::from_le_bytes),
        other => unreachable!("{other} is no type of floating-point numbers"),
    }
}

fn numbers<const N: usize>(
    bytes: &[u8],
    number: impl Fn([u8; N]) -> f64,
) -> Result<Vec<Float>, f64> {
    let (chunks, _) = bytes.as_chunks(); // no rest: the length has been checked with the header
    let mut numbers = Vec::with_capacity(chunks.len());
    for x in chunks {
        let exact = number(*x);
        let x = exact as Float;
        if !x.is_finite() {
            return Err(exact);
        }
        numbers.push(x);
    }
    Ok(numbers)
}

/// A shape from a file, in one line of ordinary length.
fn shape_in_words(shape: &[usize]) -> String {
    match shape.len() {
        0..=8 => format!("{shape:?}"),
        rank => format!("of rank {rank}"),
    }
}

/// What is wrong with a file that does not parse, in one line.
fn told(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::MetadataIncompleteBuffer => {
            "the file is truncated, or something stands after its end".to_owned()
        }
        SafeTensorError::HeaderTooSmall | SafeTensorError::InvalidHeaderLength => {
            "this is no safetensors file, or no more than its beginning".to_owned()
        }
        error => {
            let reason = error.to_string().replace(char::is_control, " "); // it may quote the file
            match reason.char_indices().nth(250) {
                Some((end, _)) => format!("this is no safetensors file: {}…", &reason[..end]),
                None => format!("this is no safetensors file: {reason}"),
            }
        }
    }
}
