//! The bytes of a file: tensors by name, and what may be wrong with them.
//!
//! The crate `safetensors` parses and validates. Two things it lets pass are caught before: a name
//! that is there twice, of which it keeps the last, and ends of tensors so far away that its sum of
//! lengths overflows.

use crate::error::{self, Error};
use crate::files;
use safetensors::tensor::{Dtype, SafeTensors, TensorInfo, View};
use safetensors::{SafeTensorError, serialize};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use shared::{Float, Matrix};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Formatter};
use std::path::Path;

const DTYPE: Dtype = if size_of::<Float>() == 4 { Dtype::F32 } else { Dtype::F64 };
const DESCRIPTION: &str = "description";

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
    pub(crate) fn parse(path: &'a Path, bytes: &'a [u8]) -> error::Result<Tensors<'a>> {
        check(bytes).map_err(|reason| Error::file(path, reason))?;
        let refuse = |error: SafeTensorError| Error::file(path, told(&error));
        let file = SafeTensors::deserialize(bytes).map_err(refuse)?;
        let left = file.names().iter().map(|name| name.to_string()).collect();
        Ok(Tensors { path, file, left })
    }

    pub(crate) fn take(&mut self, name: &str, shape: (usize, usize)) -> error::Result<Matrix> {
        self.left.remove(name);
        self.get(name, shape).map_err(|reason| Error::file(self.path, reason))
    }

    fn get(&self, name: &str, (rows, columns): (usize, usize)) -> Result<Matrix, String> {
        let tensor = self.file.tensor(name);
        let tensor = tensor.map_err(|_| format!("there is no tensor `{name}`"))?;
        if tensor.dtype() != DTYPE {
            return Err(format!("tensor `{name}` is {}, {DTYPE} is needed", tensor.dtype()));
        }
        if tensor.shape() != [rows, columns] {
            let shape = tensor.shape();
            let shape = shape_in_words(shape);
            return Err(format!("tensor `{name}` is {shape}, [{rows}, {columns}] is needed"));
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
    check(bytes).map_err(|reason| Error::file(path, reason))?;
    let refuse = |error: SafeTensorError| Error::file(path, told(&error));
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(refuse)?;
    Ok(header.metadata().as_ref().and_then(|remarks| remarks.get(DESCRIPTION).cloned()))
}

/// A shape from a file, in one line of ordinary length.
fn shape_in_words(shape: &[usize]) -> String {
    match shape.len() {
        0..=8 => format!("{shape:?}"),
        rank => format!("of rank {rank}"),
    }
}

/// The names in a header, and where each tensor ends.
struct Listing(Vec<(String, usize)>);

impl<'de> Deserialize<'de> for Listing {
    fn deserialize<D: Deserializer<'de>>(header: D) -> Result<Listing, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Listing;

            fn expecting(&self, f: &mut Formatter) -> fmt::Result {
                write!(f, "tensors by name")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Listing, M::Error> {
                let mut listing = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "__metadata__" {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    listing.push((name, map.next_value::<TensorInfo>()?.data_offsets.1));
                }
                Ok(Listing(listing))
            }
        }
        header.deserialize_map(Entries)
    }
}

/// Refuses what `safetensors` does not, and names that would not fit into the line of an error.
fn check(bytes: &[u8]) -> Result<(), String> {
    let length = bytes.first_chunk().map(|length| u64::from_le_bytes(*length));
    let length = length.and_then(|length| usize::try_from(length).ok());
    let Some((header, data)) = length.and_then(|length| bytes[8..].split_at_checked(length)) else {
        return Ok(()); // `safetensors` tells what such a file is
    };
    let listing = serde_json::from_slice(header);
    let Listing(listing) =
        listing.map_err(|error| told(&SafeTensorError::InvalidHeaderDeserialization(error)))?;
    let mut names = HashSet::new();
    for (name, end) in &listing {
        if name.len() > 250 || name.contains(char::is_control) {
            let name = files::shorten(name);
            return Err(format!("tensor `{name}` has a name that does not fit a line"));
        }
        if *end > data.len() {
            return Err(told(&SafeTensorError::MetadataIncompleteBuffer));
        }
        if !names.insert(name) {
            return Err(format!("tensor `{name}` is there twice"));
        }
    }
    Ok(())
}

/// What is wrong with a file that does not parse, in one line.
fn told(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::MetadataIncompleteBuffer => {
            "the file is truncated, or something stands behind its end".to_owned()
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
