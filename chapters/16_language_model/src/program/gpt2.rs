//! GPT-2 as the library *transformers* saves it: `config.json`, `model.safetensors` and the pieces.
//!
//! The keys' biases are read and left out: they add the same number to all scores of a query, and the softmax does not
//! see it (chapter 9).

use super::source::Words;
use crate::{Config, Gpt, NetworkKind, NormKind, Normalization};
use bert::interchange::{CONFIG, read_tensors};
use corpora::BytePieces;
use serde_json::json;
use shared::{Float, Matrix, Module, rng};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use workbench::error::{Error, Result};
use workbench::files::{Fields, read};
use workbench::folders::must_be_itself;
use workbench::parameters::{ForeignFile, Theirs};

/// The beginning of the tensors' names in a model with an output, and of those in one without.
const PREFIXES: [&str; 2] = ["transformer.", ""];
/// The largest size that is believed; what a file does not hold is refused anyway.
const MOST: usize = 1 << 24;
const MOST_BLOCKS: usize = 1 << 12;

/// Reads such a folder.
///
/// # Errors
/// When a file is missing or malformed, describes another model than GPT-2 or one that is not built here, or when a
/// tensor is missing or has another shape.
pub fn read_gpt2(folder: &Path) -> Result<(Gpt, Words)> {
    let path = folder.join(CONFIG);
    let bytes = read(&path)?;
    must_be_itself(&path, &bytes)?;
    let (config, epsilon) = configured(&Fields::parse(path.clone(), &bytes)?)?;
    let pieces = BytePieces::read(folder)?;
    if pieces.count() != config.vocabulary {
        let [pieces, words] = [pieces.count(), config.vocabulary];
        return Err(Error::file(
            &path,
            format!("`vocab_size` is {words}, the tokenizer has {pieces}"),
        ));
    }
    let (path, bytes) = read_tensors(folder)?;
    let mut values = tensors(ForeignFile::parse(&path, &bytes)?, &config)?;
    // As narrow as can be: what is drawn is replaced by what was read.
    let narrow = Config { vocabulary: 1, width: config.heads, feed_forward: 1, ..config.clone() };
    let mut model = Gpt::new(&Config { longest: 1, ..narrow }, &mut rng(0));
    model.for_each_parameter(|name, param| {
        *param.value_mut() = values.remove(name).unwrap_or_else(|| panic!("`{name}` was read"));
    });
    let around = model
        .blocks
        .iter_mut()
        .flat_map(|block| [&mut block.around_attention.norm, &mut block.around_feed_forward.norm]);
    for norm in around.chain([&mut model.norm]) {
        if let Normalization::Layer(norm) = norm {
            norm.epsilon = epsilon;
        }
    }
    model.config = config;
    Ok((model, Words::Pieces(Arc::new(pieces))))
}

/// The sizes, and ε of the normalisations.
fn configured(fields: &Fields) -> Result<(Config, Float)> {
    fields.must_be("model_type", json!("gpt2"))?;
    let ours = [
        ("scale_attn_weights", true),
        ("scale_attn_by_inverse_layer_idx", false),
        ("add_cross_attention", false),
        ("tie_word_embeddings", true),
    ];
    ours.into_iter().try_for_each(|(name, ours)| fields.must_be(name, json!(ours)))?;
    let activations = ["gelu_new", "gelu_pytorch_tanh", "gelu", "relu"];
    fields.must_be_one_of("activation_function", &activations)?;
    let activation = fields.get("activation_function").and_then(|name| name.as_str());
    let network = match activation.unwrap_or(activations[0]) {
        "gelu" => NetworkKind::Gelu,
        "relu" => NetworkKind::Relu,
        _ => NetworkKind::GeluTanh,
    };
    let width = fields.size("n_embd", Some(768), MOST)?;
    let heads = fields.size("n_head", Some(12), MOST)?;
    if !width.is_multiple_of(heads) {
        let reason = format!("is {heads}, which does not divide the `n_embd` {width}");
        return Err(fields.refuse("n_head", reason));
    }
    let vocabulary = fields.size("vocab_size", Some(50_257), MOST)?;
    let config = Config {
        width,
        feed_forward: fields.size("n_inner", Some(4 * width), MOST)?,
        blocks: fields.size("n_layer", Some(12), MOST_BLOCKS)?,
        heads,
        groups: heads,
        norm: NormKind::Layer,
        network,
        rotary: false,
        longest: fields.size("n_positions", Some(1024), MOST)?,
        ..Config::gpt2(vocabulary)
    };
    if config.longest < 2 {
        return Err(fields.refuse("n_positions", "is 1: nothing can be written".to_owned()));
    }
    Ok((config, fields.small("layer_norm_epsilon", 1e-5)?))
}

/// The parameters by our names.
fn tensors(file: ForeignFile, config: &Config) -> Result<HashMap<String, Matrix>> {
    let Config { vocabulary, width: d, longest, .. } = *config;
    let names = file.names();
    let has = |prefix: &&&str| names.contains(&format!("{prefix}wte.weight"));
    let prefix = PREFIXES.iter().find(has).copied().unwrap_or_default();
    let mut reader = Reader { file, prefix, found: HashMap::new() };
    for (ours, theirs, rows) in [("words", "wte", vocabulary), ("positions", "wpe", longest)] {
        let table = reader.take(format!("{theirs}.weight"), &[rows, d])?;
        reader.found.insert(format!("{ours}.weight"), table);
    }
    (0..config.blocks).try_for_each(|block| reader.block(block, config))?;
    reader.norm("norm".to_owned(), "ln_f".to_owned(), d)?;
    Ok(reader.found)
}

struct Reader<'a> {
    file: ForeignFile<'a>,
    prefix: &'static str,
    found: HashMap<String, Matrix>,
}

impl Reader<'_> {
    /// A tensor; a table has a row for every input there, and a column here.
    fn take(&mut self, name: String, shape: &[usize]) -> Result<Matrix> {
        let name = format!("{}{name}", self.prefix);
        let theirs = Theirs::new(&*name, shape);
        let theirs = if shape.len() == 2 { theirs.transposed() } else { theirs };
        let path = self.file.path();
        let missing = || Error::file(path, format!("there is no tensor `{name}`"));
        self.file.take(&theirs)?.ok_or_else(missing)
    }

    fn norm(&mut self, ours: String, theirs: String, d: usize) -> Result<()> {
        for (part, name) in [("gain", "weight"), ("bias", "bias")] {
            let column = self.take(format!("{theirs}.{name}"), &[d])?;
            self.found.insert(format!("{ours}.{part}"), column);
        }
        Ok(())
    }

    /// An affine map whose outputs are those of several here, one below the other.
    fn linears(
        &mut self,
        ours: &[String],
        theirs: String,
        [inputs, outputs]: [usize; 2],
    ) -> Result<()> {
        let weight = self.take(format!("{theirs}.weight"), &[inputs, outputs])?;
        let bias = self.take(format!("{theirs}.bias"), &[outputs])?;
        let rows = outputs / ours.len();
        for (i, name) in ours.iter().enumerate() {
            self.found.insert(format!("{name}.weight"), weight.rows(i * rows, rows).into_owned());
            self.found.insert(format!("{name}.bias"), bias.rows(i * rows, rows).into_owned());
        }
        Ok(())
    }

    fn block(&mut self, block: usize, config: &Config) -> Result<()> {
        let Config { width: d, feed_forward, .. } = *config;
        let (ours, theirs) = (format!("blocks.{block}"), format!("h.{block}"));
        let linears: [(&[&str], &str, [usize; 2]); 4] = [
            (&["attention.w_q", "attention.w_k", "attention.w_v"], "attn.c_attn", [d, 3 * d]),
            (&["attention.w_o"], "attn.c_proj", [d, d]),
            (&["feed_forward.inner"], "mlp.c_fc", [d, feed_forward]),
            (&["feed_forward.outer"], "mlp.c_proj", [feed_forward, d]),
        ];
        for (names, their_name, shape) in linears {
            let names: Vec<String> = names.iter().map(|name| format!("{ours}.{name}")).collect();
            self.linears(&names, format!("{theirs}.{their_name}"), shape)?;
        }
        for (name, their_name) in [("attention_norm", "ln_1"), ("feed_forward_norm", "ln_2")] {
            self.norm(format!("{ours}.{name}"), format!("{theirs}.{their_name}"), d)?;
        }
        Ok(())
    }
}
