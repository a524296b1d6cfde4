//! Parameters by our own names; and what does not fit.

use safetensors::{Dtype, tensor::TensorView};
use shared::{Float, Linear, Matrix, Module, Param};
use std::fs;
use std::path::{Path, PathBuf};
use workbench::parameters::{ParameterFile, save_parameters};
use workbench::training::{Value, json};

fn model() -> Vec<Linear> {
    vec![Linear::new(3, 2, &mut shared::rng(0)), Linear::new(2, 2, &mut shared::rng(1))]
}

/// All weights and biases.
fn values(model: &mut Vec<Linear>) -> Vec<Matrix> {
    let mut values = Vec::new();
    model.for_each_parameter(|_, param| values.push(param.value().clone()));
    values
}

#[test]
fn parameters_are_written_as_other_libraries_expect_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let mut w = Param::new(Matrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    struct One<'a>(&'a mut Param);
    impl Module for One<'_> {
        fn visit(&mut self, visitor: &mut shared::Visitor) {
            visitor.param("weight", self.0);
        }
    }
    save_parameters(&path, &mut One(&mut w), &"two by three").unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let text: Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    assert_eq!(text["weight"]["shape"], json!([2, 3]));
    assert_eq!(text["weight"]["dtype"], "F32");
    let told = text["__metadata__"]["description"].as_str().unwrap();
    let told: Value = serde_json::from_str(told).unwrap();
    assert_eq!(told["model"], "two by three");
    let numbers = bytes[8 + header..].chunks(4).map(|x| f32::from_le_bytes(x.try_into().unwrap()));
    assert_eq!(numbers.collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]); // row after row
}

/// What is said of a file of parameters made by `write`.
fn unloadable(write: impl Fn(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    write(&path);
    let mut into = model();
    let before = values(&mut into);
    let loaded = ParameterFile::open(&path).and_then(|file| file.load(&mut into));
    let error = loaded.unwrap_err().to_string();
    assert!(values(&mut into) == before, "the model was touched");
    error.replace(&path.display().to_string(), "FILE")
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let save = |change: fn(&mut Vec<Linear>)| {
        unloadable(|path| {
            let mut model = model();
            change(&mut model);
            save_parameters(path, &mut model, &()).unwrap();
        })
    };
    assert_eq!(save(|model| drop(model.pop())), "FILE: there is no tensor `1.weight`");
    assert_eq!(
        save(|model| model.push(Linear::new(1, 1, &mut shared::rng(0)))),
        "FILE: tensor `2.bias` is none of this model's"
    );
    assert_eq!(
        save(|model| model[0] = Linear::new(2, 3, &mut shared::rng(0))),
        "FILE: tensor `0.weight` is [3, 2], [2, 3] is needed"
    );
    assert_eq!(
        save(|model| model[1].weight.value_mut()[(0, 1)] = Float::NAN),
        "FILE: tensor `1.weight` holds NaN"
    );
    assert_eq!(
        save(|model| model[1].weight.value_mut()[(0, 1)] = Float::NEG_INFINITY),
        "FILE: tensor `1.weight` holds -inf"
    );
}

#[test]
fn files_that_hold_no_parameters_are_refused() {
    let write = |bytes: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        unloadable(|path| {
            save_parameters(path, &mut model(), &()).unwrap();
            fs::write(path, bytes(fs::read(path).unwrap())).unwrap();
        })
    };
    let truncated = "FILE: the file is truncated, or something stands after its end";
    assert_eq!(write(&|bytes| bytes[..bytes.len() - 1].to_vec()), truncated);
    assert_eq!(write(&|bytes| [bytes, vec![0]].concat()), truncated);
    let beginning = "FILE: this is no safetensors file, or no more than its beginning";
    for length in [0, 7, 8, 100] {
        assert_eq!(write(&|bytes| bytes[..length].to_vec()), beginning);
    }
    let said = write(&|_| b"{\"weight\": [1, 2, 3]}, and so on, for a while".to_vec());
    assert_eq!(said, "FILE: this is no safetensors file: header too large");
    let tensor = TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
    let other = safetensors::serialize([("x", tensor)], None).unwrap();
    let said = unloadable(|path| fs::write(path, &other).unwrap());
    assert_eq!(said, "FILE: does not describe the model it belongs to");
    let missing = unloadable(|_| ());
    assert_eq!(missing, "FILE: cannot be read: no such file or directory");
    let folder = unloadable(|path| fs::create_dir(path).unwrap());
    assert_eq!(folder, "FILE: this is a directory, a file is needed");
}

/// One bit of every byte.
#[test]
fn no_flipped_bit_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("model.safetensors");
    save_parameters(&path, &mut model(), &()).unwrap();
    let good = fs::read(&path).unwrap();
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::remove_file(&path).unwrap(); // a new file is faster than a new content
        fs::write(&path, bytes).unwrap();
        let mut found = model();
        if let Ok(file) = ParameterFile::open(&path)
            && file.load(&mut found).is_ok()
        {
            // a blank in the header that became another one
            assert!(good[place].is_ascii_whitespace(), "byte {place}");
            assert_eq!(values(&mut found), values(&mut model()));
        }
    }
}

#[test]
fn a_description_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    save_parameters(&path, &mut model(), &"a word").unwrap();
    let file = ParameterFile::open(&path).unwrap();
    let error = file.description::<(usize, usize)>().unwrap_err().to_string();
    assert!(error.contains("describes a model of another kind: invalid type"), "{error}");
    assert_eq!(file.description::<String>().unwrap(), "a word");
}
