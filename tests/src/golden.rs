//! Golden values: tensors computed once by a trusted program (PyTorch), kept in `tests/golden/`.
//!
//! `golden/name.json` is written by a script beside it (through `golden.py`, function `save`) and
//! names that script:
//! ```json
//! {"made_by": "name.py", "torch": "2.15.0", "tensors": {
//! "q": {"shape": [2, 3], "data": [0.25, 1.5, -0.125, 2, "-inf", 0]}
//! }}
//! ```
//! `data` is the tensor's memory in PyTorch's row-major order, `float32` with nine significant
//! digits (which determine it), `float64` with seventeen (read back to the last bit or one beside
//! it); JSON has no infinities, so these and NaN are the strings `"inf"`, `"-inf"`, `"nan"`.
//!
//! **Order.** A tensor of shape `[n, d]` – n tokens as rows – loads as a d × n matrix – n tokens as
//! columns. The memory is the same: row-major `(n, d)` *is* column-major `(d, n)`, nothing is
//! moved. In general the last dimension becomes the rows and all others together the columns: `[b,
//! t, d]` → d × (b·t), sequence after sequence; `[d]` → d × 1; a scalar → 1 × 1. It follows that a
//! PyTorch weight of shape `[out, in]` loads as in × out: the transpose of the W in W x.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::{DMatrix, DVector};
use serde_json::{Map, Value};

use crate::close::Real;

/// One golden file: named tensors.
pub struct Golden {
    path: PathBuf,
    made_by: String,
    tensors: Map<String, Value>,
}

/// Where golden files lie.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Loads `tests/golden/<name>.json`.
///
/// # Panics
/// When there is no such file (the message lists those there are), or it is not of the format
/// above.
///
/// ```
/// # use nalgebra::DMatrix;
/// let golden = tests::golden::load("format");
/// let x: DMatrix<f32> = golden.matrix("x"); // saved as (2, 3)
/// assert_eq!(x.shape(), (3, 2));
/// ```
#[track_caller]
pub fn load(name: &str) -> Golden {
    let path = folder().join(name).with_extension("json");
    match fs::read_to_string(&path) {
        Ok(text) => Golden::parse(&text, path),
        Err(error) => {
            panic!("{}: {error}; golden files there: {}", path.display(), names().join(", "))
        }
    }
}

/// The names of all golden files, sorted.
pub fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).into_iter().flatten().flatten().map(|entry| entry.path());
    let json = entries.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut names: Vec<String> =
        json.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    names
}

impl Golden {
    #[track_caller]
    fn parse(text: &str, path: PathBuf) -> Golden {
        let shown = path.display();
        let mut file: Map<String, Value> =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let Some(Value::String(made_by)) = file.remove("made_by") else {
            panic!("{shown}: no \"made_by\"")
        };
        let Some(Value::Object(tensors)) = file.remove("tensors") else {
            panic!("{shown}: no \"tensors\"")
        };
        Golden { path, made_by, tensors }
    }

    /// The script (and its arguments) that made the file.
    pub fn made_by(&self) -> &str {
        &self.made_by
    }

    /// The tensors' names, in the order they were saved.
    pub fn tensors(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The tensor's shape as PyTorch prints it.
    #[track_caller]
    pub fn shape(&self, tensor: &str) -> Vec<usize> {
        let shape = self.field(tensor, "shape");
        let sizes = shape.iter().map(|size| {
            size.as_u64().unwrap_or_else(|| self.complain(tensor, &format!("{size} in its shape")))
                as usize
        });
        sizes.collect()
    }

    /// The tensor's entries in the order of its memory.
    #[track_caller]
    pub fn values<T: Real>(&self, tensor: &str) -> Vec<T> {
        let data = self.field(tensor, "data");
        let shape = self.shape(tensor);
        if data.len() != shape.iter().product::<usize>() {
            self.complain(tensor, &format!("{} entries for shape {shape:?}", data.len()));
        }
        let values = data.iter().map(|entry| match (entry.as_f64(), entry.as_str()) {
            (Some(number), _) => T::from_f64(number),
            (_, Some("inf")) => T::from_f64(f64::INFINITY),
            (_, Some("-inf")) => T::from_f64(f64::NEG_INFINITY),
            (_, Some("nan")) => T::from_f64(f64::NAN),
            _ => self.complain(tensor, &format!("{entry} is not a number")),
        });
        values.collect()
    }

    /// The tensor as a matrix: shape `[n, d]` becomes d × n, see the [module](self).
    #[track_caller]
    pub fn matrix<T: Real>(&self, tensor: &str) -> DMatrix<T> {
        let shape = self.shape(tensor);
        let values = self.values(tensor);
        let rows = shape.last().copied().unwrap_or(1);
        let columns = shape.iter().rev().skip(1).product();
        DMatrix::from_vec(rows, columns, values)
    }

    /// A tensor of one dimension.
    #[track_caller]
    pub fn vector<T: Real>(&self, tensor: &str) -> DVector<T> {
        let shape = self.shape(tensor);
        if shape.len() != 1 {
            self.complain(tensor, &format!("shape {shape:?} is not a vector's"));
        }
        DVector::from_vec(self.values(tensor))
    }

    /// A tensor of one entry.
    #[track_caller]
    pub fn scalar<T: Real>(&self, tensor: &str) -> T {
        match self.values(tensor)[..] {
            [value] => value,
            _ => self
                .complain(tensor, &format!("shape {:?} is not one number's", self.shape(tensor))),
        }
    }

    /// A tensor of indices (lengths, tokens, classes) in the order of its memory.
    #[track_caller]
    pub fn indices(&self, tensor: &str) -> Vec<usize> {
        let indices = self.values(tensor).into_iter().map(|value: f64| {
            if value < 0.0 || value.fract() != 0.0 || !value.is_finite() {
                self.complain(tensor, &format!("{value} is not an index"));
            }
            value as usize
        });
        indices.collect()
    }

    #[track_caller]
    fn field(&self, tensor: &str, field: &str) -> &[Value] {
        let Some(found) = self.tensors.get(tensor) else {
            let names: Vec<&str> = self.tensors().collect();
            panic!(
                "{}: no tensor \"{tensor}\"; there are: {}",
                self.path.display(),
                names.join(", ")
            );
        };
        match &found[field] {
            Value::Array(values) => values,
            _ => self.complain(tensor, &format!("no list \"{field}\"")),
        }
    }

    #[track_caller]
    fn complain(&self, tensor: &str, what: &str) -> ! {
        panic!("{}: tensor \"{tensor}\": {what}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close;
    use crate::failing::message;

    #[test]
    fn the_last_dimension_becomes_the_rows() {
        let golden = load("format");
        assert_eq!(golden.shape("x"), [2, 3]);
        let x: DMatrix<f32> = golden.matrix("x"); // arange(6).reshape(2, 3)
        assert_close!(x, [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]], 0.0);
        let batch: DMatrix<f64> = golden.matrix("batch"); // arange(24).reshape(2, 3, 4)
        assert_eq!(batch.shape(), (4, 6));
        assert_close!(batch.column(5), [20.0, 21.0, 22.0, 23.0], 0.0); // the last token of the last sequence
        assert_eq!(golden.matrix::<f32>("vector").shape(), (4, 1));
        assert_eq!(golden.vector::<f32>("vector").len(), 4);
        assert_eq!(golden.matrix::<f32>("scalar").shape(), (1, 1));
        assert_eq!(golden.matrix::<f32>("empty").shape(), (3, 0));
    }

    #[test]
    fn numbers_survive_the_journey() {
        let golden = load("format");
        assert_eq!(golden.scalar::<f32>("scalar"), 1.0 / 3.0);
        let double: f64 = golden.scalar("double");
        approx::assert_ulps_eq!(double, 1.0 / 3.0, epsilon = 0.0, max_ulps = 1);
        // Bit patterns beside the values: nine digits are enough for every float32.
        let (values, bits) = (golden.values::<f32>("random"), golden.indices("random_bits"));
        assert_eq!(values.len(), 64);
        for (value, bits) in values.iter().zip(bits) {
            assert_eq!(value.to_bits() as usize, bits, "{value}");
        }
        let special: Vec<f32> = golden.values("vector");
        assert!(
            special[0] == f32::INFINITY
                && special[1] == f32::NEG_INFINITY
                && special[2].is_nan()
                && special[3] == -1e-30
        );
    }

    #[test]
    fn every_file_is_whole_and_its_script_lies_beside_it() {
        assert!(names().contains(&"format".to_string()));
        for name in names() {
            let golden = load(&name);
            let script = golden.made_by().split_whitespace().next().unwrap_or_default();
            assert!(
                folder().join(script).is_file(),
                "{name}.json was made by {script}, which is not in {}",
                folder().display()
            );
            let tensors: Vec<&str> = golden.tensors().collect();
            assert!(!tensors.is_empty(), "{name}.json holds no tensor");
            for tensor in tensors {
                golden.values::<f32>(tensor);
            }
        }
    }

    #[test]
    fn complaints_name_file_tensor_and_what_there_is() {
        let text = message(|| load("no_such_file"));
        assert!(
            text.contains("no_such_file.json")
                && text.contains("golden files there:")
                && text.contains("format"),
            "{text}"
        );
        let golden =
            r#"{"made_by": "a.py", "tensors": {"q": {"shape": [2, 2], "data": [1, 2, 3]}}}"#;
        let golden = Golden::parse(golden, PathBuf::from("some.json"));
        assert_eq!(
            message(|| golden.matrix::<f32>("Q")),
            "some.json: no tensor \"Q\"; there are: q"
        );
        assert_eq!(
            message(|| golden.matrix::<f32>("q")),
            "some.json: tensor \"q\": 3 entries for shape [2, 2]"
        );
    }
}
