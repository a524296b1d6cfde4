//! Models of others, read and written: the folder that the library *transformers* calls a checkpoint.
//!
//! | file | holds |
//! |---|---|
//! | `config.json` | sizes, and what else there is to know: [`Folder`] |
//! | `model.safetensors` | the parameters, by the names of [`table`] |
//! | `vocab.txt`, `tokenizer.json` | the pieces, which the crate `corpora` reads and writes |
//!
//! All that differs between such files is met here: names with the prefix `bert.` and without, `gamma`
//! and `beta` for gain and bias, half precision, a pooler or none, one head or two. What is not built
//! here – another activation, relative positions, a decoder, an output that is not tied to the input
//! – is refused, rather than computed wrongly.
//!

mod config;
mod table;

pub use config::{CONFIG, Folder, label_fields, read_config};
pub use table::{PREFIX, Parts, linear, table};

use crate::encoder::{Bert, Config};
use crate::pretraining::Pretraining;
use config::{fields, other_file};
use corpora::WordPiece;
use serde_json::{Map, Value, json};
use shared::{Matrix, Module, Rng, rng};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use table::BLOCK_TENSORS;
use workbench::error::{Error, Result};
use workbench::files::{self, marks};
use workbench::folders::is_there;
use workbench::parameters::{Foreign, ForeignFile, MODEL_FILE, Theirs, foreign_bytes, read_shards};

/// The name of the file of parameters.
pub const TENSORS: &str = MODEL_FILE;
/// The index of a large model's tensors, which are in several files.
const INDEX: &str = "model.safetensors.index.json";

/// A model that was read.
#[derive(Debug)]
pub struct Checkpoint {
    /// The folder, as `config.json` describes it.
    pub folder: Folder,
    /// The model, with the pooler and the heads that the file has.
    pub model: Pretraining,
    /// The tensors of the file that are none of the model's, in alphabetical order: heads of other
    /// tasks, blocks beyond those that `config.json` names.
    pub extra: Vec<String>,
}

/// Reads a model with all that the file has of it: `BertForPreTraining` has a pooler and two heads,
/// `BertForMaskedLM` the MLM head alone, `BertModel` a pooler at most.
///
/// # Errors
/// When a file cannot be read; when `config.json` is refused by [`read_config`]; when tensors are
/// missing or have another shape or type, all of which are named in one line; and when the matrix of
/// the last layer is not the table of the input.
pub fn read_pretraining(folder: &Path) -> Result<Checkpoint> {
    read_config(folder)?.open(true)
}

/// The same without heads, whatever is on top of the encoder.
///
/// # Errors
/// See [`read_pretraining`]; heads may be whatever they are.
pub fn read_encoder(folder: &Path) -> Result<Checkpoint> {
    read_config(folder)?.open(false)
}

/// The bytes of the parameters, in one file or in several, and the file that errors name.
///
/// # Errors
/// When they cannot be read; where there are none, with what is there instead.
pub fn read_tensors(folder: &Path) -> Result<(PathBuf, Vec<u8>)> {
    let [path, index] = [TENSORS, INDEX].map(|name| folder.join(name));
    if is_there(&path)? {
        let bytes = files::read(&path)?;
        return Ok((path, bytes));
    }
    if is_there(&index)? {
        let bytes = read_shards(&index)?;
        return Ok((index, bytes));
    }
    Err(Error::file(&path, format!("is not there{}", other_file(folder).unwrap_or_default())))
}

impl Folder {
    /// [`read_pretraining`], or without heads [`read_encoder`], once `config.json` is known.
    ///
    /// # Errors
    /// See [`read_pretraining`] and [`read_encoder`].
    pub fn open(self, heads: bool) -> Result<Checkpoint> {
        let (path, bytes) = read_tensors(&self.path)?;
        self.read(ForeignFile::parse(&path, &bytes)?, heads)
    }

    /// The same from an open file.
    ///
    /// # Errors
    /// See [`read_pretraining`].
    pub fn read(self, mut file: ForeignFile, heads: bool) -> Result<Checkpoint> {
        let found = Parts::of(&file);
        let parts = if heads {
            Parts { pooler: found.pooler || found.next, ..found }
        } else {
            Parts { masked: false, next: false, ..found }
        };
        let path = file.path();
        let twins = parts.masked.then(|| Twins::take(&self, &mut file)).transpose()?;
        let names = |config: &Config| table(config, parts);
        let (model, extra) = self.load(file, names, |config, rng| parts.drawn(config, rng))?;
        if let Some(twins) = twins {
            twins.check(&model).map_err(|reason| Error::file(path, reason))?;
        }
        Ok(Checkpoint { folder: self, model, extra })
    }

    /// A model with any head out of a file, and the names of the tensors that are none of its: `table` has
    /// its parameters, `build` makes one of any sizes.
    ///
    /// It is built once the file is known to hold all of it, so its size is the file's; and as narrow as can
    /// be, for drawing what is read afterwards takes time.
    ///
    /// # Errors
    /// When tensors are missing or have another shape or type.
    pub fn load<M: Module>(
        &self,
        file: ForeignFile,
        table: impl FnOnce(&Config) -> Foreign,
        build: impl FnOnce(&Config, &mut Rng) -> M,
    ) -> Result<(M, Vec<String>)> {
        let Config { blocks, heads, .. } = self.config;
        let names = file.names();
        let tensors = names.len();
        if let Some(name) = names.iter().find(|name| name.contains("embeddings/")) {
            let reason = format!("`{name}` is a name of TensorFlow's: save the model by PyTorch's");
            return Err(Error::file(file.path(), reason));
        }
        if blocks * BLOCK_TENSORS > tensors {
            let reason =
                format!("has {tensors} tensors, too few for the {blocks} blocks of {CONFIG}");
            return Err(Error::file(file.path(), reason));
        }
        let table = table(&self.config);
        file.holds(&table)?;
        let narrow = Config { vocabulary: 1, width: heads, feed_forward: 1, ..self.config.clone() };
        let mut model = build(&Config { longest: 1, segments: 1, ..narrow }, &mut rng(0));
        widen(&mut model, &table);
        let mut extra = file.load(&mut model, &table)?;
        // Older files hold the position ids 0, 1, 2, …, which nobody needs.
        extra.retain(|name| name.strip_prefix(PREFIX).unwrap_or(name) != "embeddings.position_ids");
        Ok((model, extra))
    }
}

/// Gives all parameters their shapes: zeros, which take no memory until something is written over them.
fn widen(model: &mut impl Module, table: &Foreign) {
    let shapes = table.entries.iter().map(|entry| (&*entry.ours, entry.matrix_shape()));
    let shapes: HashMap<&str, (usize, usize)> = shapes.collect();
    model.for_each_parameter(|name, param| {
        let (rows, columns) = shapes[name];
        *param.value_mut() = Matrix::from_vec(rows, columns, vec![0.0; rows * columns]);
    });
}

impl Parts {
    /// The parts that a file has, at least in part.
    pub fn of(file: &ForeignFile) -> Parts {
        let names = file.names();
        let bare = names.iter().map(|name| name.strip_prefix(PREFIX).unwrap_or(name));
        let has = |part: &str| bare.clone().any(|name| name.starts_with(part));
        Parts {
            pooler: has("pooler."),
            masked: has("cls.predictions."),
            next: has("cls.seq_relationship."),
        }
    }

    /// A drawn model of these parts.
    fn drawn(self, config: &Config, rng: &mut Rng) -> Pretraining {
        let Pretraining { bert, masked, next } = Pretraining::new(config, rng);
        let pooler = bert.pooler.filter(|_| self.pooler);
        let (masked, next) = (masked.filter(|_| self.masked), next.filter(|_| self.next));
        Pretraining { bert: Bert { pooler, ..bert }, masked, next }
    }
}

/// Tensors that some files hold a second time: the table of the input as the matrix of the last layer, and
/// that layer's bias.
struct Twins {
    table: Option<Matrix>,
    bias: Option<Matrix>,
}

const LAST_WEIGHT: &str = "cls.predictions.decoder.weight";
const LAST_BIAS: &str = "cls.predictions.decoder.bias";

impl Twins {
    /// Takes them out of a file.
    fn take(folder: &Folder, file: &mut ForeignFile) -> Result<Twins> {
        let Config { vocabulary, width, .. } = folder.config;
        let table = Theirs::new(LAST_WEIGHT, [vocabulary, width]).transposed();
        let table = file.take(&table)?;
        if table.is_none() && !folder.tied {
            let reason = format!("there is no tensor `{LAST_WEIGHT}`, and {CONFIG} ties no other");
            return Err(Error::file(file.path(), reason));
        }
        let both = file.names().iter().any(|name| name == "cls.predictions.bias");
        let bias = if both {
            file.take(&Theirs::new(LAST_BIAS, [vocabulary]))?
        } else {
            None // it is the only one, and read as such
        };
        Ok(Twins { table, bias })
    }

    /// Refuses twins that differ.
    fn check(self, model: &Pretraining) -> Result<(), String> {
        let table = model.bert.embeddings.words.weight.value();
        if self.table.is_some_and(|twin| twin != *table) {
            let reason = "is not the table of the input; such a model is not built here";
            return Err(format!("tensor `{LAST_WEIGHT}` {reason}"));
        }
        let bias = model.masked.as_ref().map(|head| head.bias.value());
        if self.bias.is_some_and(|twin| bias.is_some_and(|bias| *bias != twin)) {
            return Err(format!("tensors `{LAST_BIAS}` and `cls.predictions.bias` differ"));
        }
        Ok(())
    }
}

/// The names of a model whose heads are those of pre-training: with the one for pairs, and without.
pub const PRETRAINED: [&str; 2] = ["BertForPreTraining", "BertForMaskedLM"];

/// Writes a model that is being pre-trained: `BertForPreTraining` there, or `BertForMaskedLM` when it
/// has no head for pairs.
///
/// # Errors
/// See [`write()`].
///
/// # Panics
/// When the model is not of these sizes.
pub fn write_pretraining(
    folder: &Path,
    pieces: Option<&WordPiece>,
    model: &mut Pretraining,
    config: &Config,
) -> Result<()> {
    let Pretraining { bert, masked, next } = &*model;
    let (pooler, masked, next) = (bert.pooler.is_some(), masked.is_some(), next.is_some());
    let parts = Parts { pooler, masked, next };
    let [with_next, without] = PRETRAINED;
    let architecture = if parts.next { with_next } else { without };
    write(folder, pieces, config, architecture, Map::new(), model, &table(config, parts))
}

/// Writes a model with any head: its pieces, if it has any; what `config.json` is to say of it beyond the
/// sizes; and its table. All of it or nothing: should the program be killed while an older model makes
/// way, there is no `config.json`, and [`read_config`] refuses the folder.
///
/// # Errors
/// When the folder or a file in it cannot be written.
///
/// # Panics
/// When the table does not fit the model.
pub fn write(
    folder: &Path,
    pieces: Option<&WordPiece>,
    config: &Config,
    architecture: &str,
    more: Map<String, Value>,
    model: &mut impl Module,
    table: &Foreign,
) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::file(folder, format!("cannot be made: {}", files::plain(&error)))
    })?;
    let mut all = Map::from_iter([("architectures".to_owned(), json!([architecture]))]);
    all.extend(fields(config));
    all.extend(more);
    let text = format!("{:#}\n", Value::Object(all));
    let mut together = Vec::from_iter(pieces.into_iter().flat_map(WordPiece::files));
    together.push((TENSORS, foreign_bytes(model, table)));
    together.push((CONFIG, text.into_bytes()));
    files::write_together(folder, &together)
}

/// The files of a model with its pieces.
const FILES: [&str; 5] = [CONFIG, TENSORS, "vocab.txt", "tokenizer.json", "tokenizer_config.json"];

/// Refuses a folder in which no model of these architectures can be put: better known before a training
/// than after it.
///
/// # Errors
/// When another program's model is there, or something in the place of a model's file that is none or
/// is read.
pub fn must_be_replaceable(folder: &Path, architectures: &[&str]) -> Result<()> {
    let is_own = files::holds_own_model(folder, architectures)?;
    for path in FILES.map(|name| folder.join(name)) {
        files::must_be_replaceable(&path)?;
        if !is_own {
            marks::must_be_in(&path, marks::NONE)?; // of no model: whose is it?
        }
    }
    Ok(())
}
