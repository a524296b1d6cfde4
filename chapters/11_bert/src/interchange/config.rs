//! `config.json`: what a model is made of, in the words of the library *transformers*.

use crate::encoder::Config;
use corpora::word_piece;
use serde_json::{Map, Value, json};
use shared::Float;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{self, Fields};
use workbench::folders::{is_there, must_be_itself};

/// The file's name.
pub const CONFIG: &str = "config.json";

/// What `config.json` says. Its other fields are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The model.
    pub config: Config,
    /// See [`Folder::labels`].
    labels: Result<Vec<String>, String>,
    /// What the model was, there: `BertForPreTraining`.
    pub architectures: Vec<String>,
    /// Whether the table of the input is the last layer's matrix, too.
    pub tied: bool,
}

/// The largest size that is believed, except blocks; the parameters of such a model can still be
/// counted in 64 bits.
const MOST: usize = 1 << 24;
const MOST_BLOCKS: usize = 1 << 12;
/// Classes that a number alone promises; named ones may be more.
const MOST_UNNAMED: usize = 1 << 10;

/// Reads `config.json` of a folder.
///
/// # Errors
/// When it cannot be read, is no JSON, describes no BERT or one that is not built here, lacks a size,
/// or has one that cannot be.
pub fn read_config(folder: &Path) -> Result<Folder> {
    let path = folder.join(CONFIG);
    if !is_there(&path)? {
        let other = other_file(folder).unwrap_or_default();
        let reason = "is not there: no model, or one that was not written to its end";
        return Err(Error::file(&path, format!("{reason}{other}")));
    }
    let bytes = files::read(&path)?;
    must_be_itself(&path, &bytes)?;
    Folder::parse(folder, &bytes)
}

/// Files of folders whose parameters are not read here.
const OTHERS: [(&str, &str); 8] = [
    ("pytorch_model.bin", "PyTorch's"),
    ("pytorch_model.bin.index.json", "PyTorch's"),
    ("tf_model.h5", "TensorFlow's"),
    ("bert_model.ckpt.index", "TensorFlow's"),
    ("flax_model.msgpack", "Flax's"),
    ("model.onnx", "ONNX"),
    ("onnx/model.onnx", "ONNX"),
    ("adapter_model.safetensors", "an adapter without its model"),
];

/// Names the parameters of another kind that a folder has.
pub(super) fn other_file(folder: &Path) -> Option<String> {
    let (name, kind) = OTHERS.iter().find(|(name, _)| folder.join(name).exists())?;
    Some(format!("; `{name}` ({kind}) is not read: save the model as safetensors"))
}

impl Folder {
    /// The names of a classifier's classes, in order: those of `id2label`, numbered from 0 without a gap;
    /// else `LABEL_0`, `LABEL_1`, …, as many as `num_labels` says, or two. (So *transformers* does; it
    /// does not look at `label2id` either.)
    ///
    /// # Errors
    /// When the file names classes in another way, or says that the problem is another one than to choose
    /// one class. Nothing but a classifier needs to know.
    pub fn labels(&self) -> Result<&[String]> {
        self.labels.as_deref().map_err(Error::argument)
    }

    /// [`read_config`] from the bytes of `config.json`.
    ///
    /// # Errors
    /// See [`read_config`].
    pub fn parse(folder: &Path, bytes: &[u8]) -> Result<Folder> {
        let fields = Fields::parse(folder.join(CONFIG), bytes)?;
        fields.must_be("model_type", json!("bert"))?;
        fields.must_be("hidden_act", json!("gelu"))?;
        fields.must_be("position_embedding_type", json!("absolute"))?;
        fields.must_be("is_decoder", json!(false))?;
        fields.must_be("add_cross_attention", json!(false))?;
        fields.must_be_one_of("tokenizer_class", &word_piece::CLASSES)?;
        let config = Config {
            vocabulary: fields.size("vocab_size", None, MOST)?,
            width: fields.size("hidden_size", None, MOST)?,
            feed_forward: fields.size("intermediate_size", None, MOST)?,
            heads: fields.size("num_attention_heads", None, MOST)?,
            blocks: fields.size("num_hidden_layers", None, MOST_BLOCKS)?,
            longest: fields.size("max_position_embeddings", None, MOST)?,
            segments: fields.size("type_vocab_size", Some(Config::BASE.segments), MOST)?,
            dropout: fields.share("hidden_dropout_prob", Config::BASE.dropout)?,
            epsilon: fields.small("layer_norm_eps", Config::BASE.epsilon)?,
            deviation: fields.small("initializer_range", Config::BASE.deviation)?,
        };
        let Config { width, heads, .. } = config;
        if !width.is_multiple_of(heads) {
            let reason = format!("is {heads}, which does not divide the `hidden_size` {width}");
            return Err(fields.refuse("num_attention_heads", reason));
        }
        Ok(Folder {
            path: folder.to_owned(),
            labels: labels(&fields).map_err(|error| error.to_string()),
            architectures: fields.names("architectures")?,
            tied: fields.switch("tie_word_embeddings", true)?,
            config,
        })
    }
}

/// [`Folder::labels`].
fn labels(fields: &Fields) -> Result<Vec<String>> {
    fields.must_be("problem_type", json!("single_label_classification"))?;
    let Some(by_number) = fields.get("id2label") else {
        let count = fields.size("num_labels", Some(2), MOST_UNNAMED)?;
        return Ok((0..count).map(|i| format!("LABEL_{i}")).collect());
    };
    let needed = || fields.needed("id2label", by_number, "an object of names, numbered from \"0\"");
    let names = by_number.as_object().ok_or_else(needed)?;
    let name = |i: usize| match names.get(&i.to_string())? {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    (0..names.len()).map(name).collect::<Option<_>>().ok_or_else(needed)
}

/// The fields of `config.json` that describe a model.
pub(super) fn fields(config: &Config) -> Map<String, Value> {
    let fields = json!({
        "model_type": "bert",
        "vocab_size": config.vocabulary,
        "hidden_size": config.width,
        "intermediate_size": config.feed_forward,
        "num_attention_heads": config.heads,
        "num_hidden_layers": config.blocks,
        "max_position_embeddings": config.longest,
        "type_vocab_size": config.segments,
        "hidden_act": "gelu",
        "hidden_dropout_prob": plain(config.dropout),
        "attention_probs_dropout_prob": 0.0,
        "layer_norm_eps": plain(config.epsilon),
        "initializer_range": plain(config.deviation),
        "position_embedding_type": "absolute",
        "tie_word_embeddings": true,
    });
    let Value::Object(fields) = fields else { unreachable!("an object") };
    fields
}

/// The shortest decimal number that is read back as this one: 0.1, not 0.10000000149.
fn plain(x: Float) -> f64 {
    x.to_string().parse().expect("a number that was just written")
}

/// The fields that name a classifier's classes.
///
/// ```
/// let fields = bert::interchange::label_fields(&["no", "yes"]);
/// assert_eq!(serde_json::to_string(&fields).unwrap(),
///     r#"{"id2label":{"0":"no","1":"yes"},"label2id":{"no":0,"yes":1}}"#);
/// ```
///
/// # Panics
/// When two classes have the same name.
pub fn label_fields(labels: &[&str]) -> Map<String, Value> {
    let names: Map<String, Value> =
        labels.iter().enumerate().map(|(i, label)| (i.to_string(), json!(label))).collect();
    let numbers: Map<String, Value> =
        labels.iter().enumerate().map(|(i, label)| (label.to_string(), json!(i))).collect();
    assert!(names.len() == numbers.len(), "two classes have the same name: {labels:?}");
    Map::from_iter([("id2label".to_owned(), names.into()), ("label2id".to_owned(), numbers.into())])
}
