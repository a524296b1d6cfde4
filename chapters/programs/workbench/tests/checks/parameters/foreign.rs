//! Parameters by the names of others: renamed, transposed and stacked; and what does not fit.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use shared::{Embedding, Float, Linear, Matrix, Module, Param, Visitor};
use std::fs;
use std::path::Path;
use workbench::error::Result;
use workbench::parameters::{Entry, Foreign, ForeignFile, Theirs, foreign_bytes};

/// The smallest model in which everything happens: d = 2, three words.
pub struct Small {
    words: Embedding,
    gain: Param,
    qkv: Linear,
}

impl Small {
    pub fn new(seed: u64) -> Small {
        let rng = &mut shared::rng(seed);
        let words = Embedding::new(3, 2, rng);
        Small { words, gain: Param::glorot(2, 1, rng), qkv: Linear::new(2, 6, rng) }
    }
}

impl Module for Small {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.param("gain", &mut self.gain);
        visitor.module("qkv", &mut self.qkv);
    }
}

pub fn table() -> Foreign {
    let norm = "bert.embeddings.LayerNorm";
    let attention = "bert.encoder.layer.0.attention.self";
    let three = |what: &str, shape: &[usize]| {
        ["query", "key", "value"]
            .map(|part| Theirs::new(format!("{attention}.{part}.{what}"), shape))
    };
    let words = Theirs::new("bert.embeddings.word_embeddings.weight", [3, 2]).transposed();
    let gain = Theirs::new(format!("{norm}.weight"), [2]).or(format!("{norm}.gamma"));
    Foreign {
        prefixes: vec!["bert.".to_owned()],
        entries: vec![
            Entry::new("words.weight", words),
            Entry::new("gain", gain),
            Entry::stacked("qkv.bias", three("bias", &[2])), // in another order than the model
            Entry::stacked("qkv.weight", three("weight", &[2, 2])),
        ],
    }
}

/// Gives a model what the file holds; returns the tensors that are none of the model's.
pub fn load_foreign(path: &Path, model: &mut impl Module, table: &Foreign) -> Result<Vec<String>> {
    ForeignFile::parse(path, &fs::read(path).unwrap())?.load(model, table)
}

pub fn save_foreign(path: &Path, model: &mut impl Module, table: &Foreign) {
    fs::write(path, foreign_bytes(model, table)).unwrap();
}

fn values(model: &mut impl Module) -> Vec<Matrix> {
    let mut values = Vec::new();
    model.for_each_parameter(|_, param| values.push(param.value().clone()));
    values
}

/// A tensor of a file: name, type, shape, bytes.
pub type Tensor = (String, Dtype, Vec<usize>, Vec<u8>);

pub fn single(name: &str, shape: &[usize], numbers: &[f32]) -> Tensor {
    let bytes = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    (name.to_owned(), Dtype::F32, shape.to_vec(), bytes)
}

pub fn write(path: &Path, tensors: &[Tensor]) {
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
    });
    fs::write(path, safetensors::serialize(views, None).unwrap()).unwrap();
}

/// What another library would write: parameters 1, 2, 3, … in the order of the list.
fn theirs() -> Vec<Tensor> {
    let attention = "bert.encoder.layer.0.attention.self";
    vec![
        single("bert.embeddings.LayerNorm.weight", &[2], &[1.0, 2.0]),
        single("bert.embeddings.word_embeddings.weight", &[3, 2], &[3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
        single(&format!("{attention}.query.weight"), &[2, 2], &[9.0, 10.0, 11.0, 12.0]),
        single(&format!("{attention}.query.bias"), &[2], &[13.0, 14.0]),
        single(&format!("{attention}.key.weight"), &[2, 2], &[15.0, 16.0, 17.0, 18.0]),
        single(&format!("{attention}.key.bias"), &[2], &[19.0, 20.0]),
        single(&format!("{attention}.value.weight"), &[2, 2], &[21.0, 22.0, 23.0, 24.0]),
        single(&format!("{attention}.value.bias"), &[2], &[25.0, 26.0]),
    ]
}

/// The same, as our matrices in the order of the visit.
fn ours() -> Vec<Matrix> {
    vec![
        Matrix::from_row_slice(2, 3, &[3.0, 5.0, 7.0, 4.0, 6.0, 8.0]), // a column for each word
        Matrix::from_row_slice(2, 1, &[1.0, 2.0]),
        Matrix::from_row_slice(
            6,
            2,
            &[9.0, 10.0, 11.0, 12.0, 15.0, 16.0, 17.0, 18.0, 21.0, 22.0, 23.0, 24.0],
        ),
        Matrix::from_row_slice(6, 1, &[13.0, 14.0, 19.0, 20.0, 25.0, 26.0]),
    ]
}

/// The tensors that are none of the model's, when the file holds these; and the model.
fn load(tensors: &[Tensor]) -> (Vec<String>, Small) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    write(&path, tensors);
    let mut model = Small::new(1);
    let extra = load_foreign(&path, &mut model, &table()).unwrap();
    (extra, model)
}

/// What is said of a file with these tensors.
fn refusal(tensors: &[Tensor]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    write(&path, tensors);
    let mut model = Small::new(1);
    let error = load_foreign(&path, &mut model, &table()).unwrap_err().to_string();
    assert_eq!(values(&mut model), values(&mut Small::new(1)), "the model was touched");
    error.replace(&path.display().to_string(), "FILE")
}

#[test]
fn a_file_of_theirs_is_read_as_our_matrices() {
    let (extra, mut model) = load(&theirs());
    assert_eq!(values(&mut model), ours());
    assert!(extra.is_empty());
}

#[test]
fn our_matrices_are_written_as_a_file_of_theirs() {
    let (_, mut model) = load(&theirs());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    save_foreign(&path, &mut model, &table());
    let bytes = fs::read(&path).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.len(), theirs().len());
    for (name, dtype, shape, bytes) in theirs() {
        let tensor = file.tensor(&name).unwrap();
        assert_eq!((tensor.dtype(), tensor.shape()), (dtype, &*shape), "{name}");
        assert_eq!(tensor.data(), bytes, "{name}");
    }
    // without this mark the library *transformers* refuses the file
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    assert_eq!(header.metadata().as_ref().unwrap()["format"], "pt");
}

#[test]
fn other_spellings_and_lacking_prefixes_are_read_too() {
    let mut tensors = theirs();
    tensors[0].0 = "embeddings.LayerNorm.gamma".to_owned();
    tensors[2].0 = "encoder.layer.0.attention.self.query.weight".to_owned();
    let (extra, mut model) = load(&tensors);
    assert_eq!(values(&mut model), ours());
    assert!(extra.is_empty());

    tensors.push(single("bert.embeddings.LayerNorm.weight", &[2], &[1.0, 2.0]));
    assert_eq!(
        refusal(&tensors),
        "FILE: `bert.embeddings.LayerNorm.weight` and `embeddings.LayerNorm.gamma` name the same tensor"
    );
}

#[test]
fn a_prefix_that_only_the_file_has_is_read_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    write(&path, &[single("roberta.weight", &[1, 1], &[7.0])]);
    let entries = vec![Entry::new("0", Theirs::new("weight", [1, 1]))];
    let table = Foreign { prefixes: vec!["bert.".to_owned(), "roberta.".to_owned()], entries };
    let mut model = vec![Param::new(Matrix::zeros(1, 1))];
    load_foreign(&path, &mut model, &table).unwrap();
    assert_eq!(model[0].value()[(0, 0)], 7.0);
    let saved = folder.path().join("saved.safetensors");
    save_foreign(&saved, &mut model, &table);
    let bytes = fs::read(&saved).unwrap();
    assert_eq!(SafeTensors::deserialize(&bytes).unwrap().names(), ["weight"]); // as the table says
}

#[test]
fn tensors_that_are_none_of_the_models_are_told() {
    let mut tensors = theirs();
    let places = [0_i64, 1, 2].iter().flat_map(|x| x.to_le_bytes()).collect();
    tensors.push(("bert.embeddings.position_ids".to_owned(), Dtype::I64, vec![1, 3], places));
    tensors.push(single("a.block", &[1, 1, 2, 1], &[1.0, Float::NAN])); // nobody looks inside
    let (extra, mut model) = load(&tensors);
    assert_eq!(extra, ["a.block", "bert.embeddings.position_ids"]);
    assert_eq!(values(&mut model), ours());
}

#[test]
fn all_that_does_not_fit_is_named_at_once() {
    let mut tensors = theirs();
    tensors.retain(|(name, ..)| !name.contains("LayerNorm") && !name.contains("key.bias"));
    tensors[0] = single(&tensors[0].0, &[2, 3], &[0.0; 6]);
    tensors[1].1 = Dtype::I32;
    tensors[2] = single(&tensors[2].0, &[2, 1], &[0.0; 2]);
    tensors[3] = single(&tensors[3].0, &[2, 2], &[0.0, 1.0, Float::INFINITY, Float::NAN]);
    let said = refusal(&tensors);
    let attention = "bert.encoder.layer.0.attention.self";
    assert_eq!(
        said.split("; ").collect::<Vec<_>>(), // in the order of the visit
        [
            "FILE: tensor `bert.embeddings.word_embeddings.weight` is [2, 3], [3, 2] is needed",
            "there is no tensor `bert.embeddings.LayerNorm.weight` or `bert.embeddings.LayerNorm.gamma`",
            &format!(
                "tensor `{attention}.query.weight` is I32, F32 or F64 or F16 or BF16 is needed"
            ),
            &format!("tensor `{attention}.key.weight` holds inf"),
            &format!("tensor `{attention}.query.bias` is [2, 1], [2] is needed"),
            &format!("there is no tensor `{attention}.key.bias`"),
        ]
    );
    assert!(!said.contains('\n'));
}
