//! A checkpoint of transformers, and its tensors to be changed.

use bert::{Config, Pretraining};
use corpora::word_piece::{Settings, WordPiece};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde_json::Value;
use shared::{Matrix, Module};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use workbench::error::Result;

/// The checkpoint that `tests/golden/bert.py` made.
pub fn theirs() -> PathBuf {
    tests::golden::folder().join("bert")
}

/// Sizes that all differ.
pub fn small() -> Config {
    Config {
        vocabulary: 17,
        width: 6,
        feed_forward: 5,
        heads: 3,
        blocks: 2,
        longest: 11,
        segments: 2,
        dropout: 0.1,
        epsilon: 1e-12,
        deviation: 0.02,
    }
}

/// A tensor of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Tensor {
    pub fn single(name: &str, shape: &[usize], numbers: &[f32]) -> Tensor {
        let bytes = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        Tensor { name: name.to_owned(), dtype: Dtype::F32, shape: shape.to_vec(), bytes }
    }
}

/// The tensors of a checkpoint, by name.
pub fn tensors(folder: &Path) -> Vec<Tensor> {
    let bytes = fs::read(folder.join("model.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let tensors = file.iter().map(|(name, view)| Tensor {
        name: name.to_owned(),
        dtype: view.dtype(),
        shape: view.shape().to_vec(),
        bytes: view.data().to_vec(),
    });
    let mut tensors: Vec<Tensor> = tensors.collect();
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    tensors
}

/// The bytes of a file with these tensors.
pub fn packed(tensors: &[Tensor]) -> Vec<u8> {
    let views = tensors.iter().map(|tensor| {
        let view = TensorView::new(tensor.dtype, tensor.shape.clone(), &tensor.bytes);
        (&tensor.name, view.unwrap())
    });
    safetensors::serialize(views, None).unwrap()
}

/// A folder with these tensors and this `config.json`.
pub fn folder(config: &str, tensors: &[Tensor]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.json"), config).unwrap();
    fs::write(folder.path().join("model.safetensors"), packed(tensors)).unwrap();
    folder
}

/// `config.json` of [`theirs`].
pub fn their_config() -> String {
    fs::read_to_string(theirs().join("config.json")).unwrap()
}

/// `config.json` of theirs with other fields.
pub fn config_with(fields: Value) -> String {
    let mut config: Value = serde_json::from_str(&their_config()).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        config[name] = value.clone();
    }
    config.to_string()
}

/// What is said of a folder.
pub fn said<T>(folder: &Path, read: impl Fn(&Path) -> Result<T>) -> String {
    let said = read(folder).err().expect("an error").to_string();
    assert!(!said.contains(char::is_control), "{said:?}");
    said.replace(&folder.display().to_string(), "FOLDER")
}

/// All parameters, in order.
pub fn values(model: &mut impl Module) -> Vec<(String, Matrix)> {
    let mut values = Vec::new();
    model.for_each_parameter(|name, param| values.push((name.to_owned(), param.value().clone())));
    values
}

/// A model in which no parameter is zero.
pub fn stirred(config: &Config, seed: u64) -> Pretraining {
    let mut model = Pretraining::new(config, &mut shared::rng(seed));
    let mut phase = seed as f32;
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        *param.value_mut() += Matrix::from_fn(rows, columns, |i, j| {
            0.3 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin()
        });
        phase += 0.7;
    });
    model
}

/// A vocabulary of six letters: a word is a piece.
pub fn letters() -> WordPiece {
    let pieces = "[PAD] [UNK] [CLS] [SEP] [MASK] a b c d e f".split(' ').map(String::from);
    WordPiece::new(pieces.collect(), Settings::default()).unwrap()
}
