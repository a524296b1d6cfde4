//! How a folder of *sentence-transformers* wants the vectors of its sentences made.

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Component, Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::shorten;
use workbench::folders::{is_there, read_json};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pooling {
    /// The mean of its tokens, at length 1
    Mean,
    /// The token of `[CLS]`
    Cls,
    /// The largest of its tokens, entry by entry
    Max,
    /// What the pooler makes of it
    Pooler,
}

pub struct Recipe {
    pub pooling: Pooling,
    /// Whether vectors have length 1.
    pub unit: bool,
    /// The most pieces of a sentence, marks included.
    pub longest: usize,
    pub lowercase: bool,
}

#[derive(Deserialize)]
struct Module {
    path: PathBuf,
    #[serde(rename = "type")]
    class: String,
}

#[derive(Default, Deserialize)]
struct Texts {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

impl Recipe {
    /// Where the model is, and what is made of it; nothing of a folder that does not say.
    pub fn read(folder: &Path) -> Result<Option<(PathBuf, Recipe)>> {
        let path = folder.join("modules.json");
        if !is_there(&path)? {
            return Ok(None);
        }
        let modules: Vec<Module> = read_json(&path)?;
        let classes: Vec<&str> = modules.iter().map(Module::class).collect();
        let (first, second, unit) = match (&classes[..], &modules[..]) {
            (["Transformer", "Pooling"], [first, second]) => (first, second, false),
            (["Transformer", "Pooling", "Normalize"], [first, second, _]) => (first, second, true),
            _ => {
                let classes = shorten(&classes.join(", "));
                let needed = "Transformer, Pooling, and Normalize at most, are followed";
                return Err(Error::file(&path, format!("lists {classes}: {needed}")));
            }
        };
        for module in [first, second] {
            let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            if !module.path.components().all(inside) {
                let name = shorten(&module.path.to_string_lossy());
                let reason = format!("names `{name}`, which is no folder inside this one");
                return Err(Error::file(&path, reason));
            }
        }
        must_have_no_prompt(&folder.join("config_sentence_transformers.json"))?;
        let model = folder.join(&first.path);
        let texts = optional(&model.join("sentence_bert_config.json"))?.unwrap_or_default();
        let Texts { max_seq_length, do_lower_case } = texts;
        let longest = max_seq_length.map_or_else(|| longest_of(&model), Ok)?;
        let pooling = pooling(&folder.join(&second.path).join("config.json"))?;
        Ok(Some((model, Recipe { pooling, unit, longest, lowercase: do_lower_case })))
    }
}

impl Module {
    /// The name of the class, if it is one of the library's.
    fn class(&self) -> &str {
        let own = self.class.starts_with("sentence_transformers.");
        self.class.rsplit('.').next().filter(|_| own).unwrap_or(&self.class)
    }
}

fn optional<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if is_there(path)? { read_json(path).map(Some) } else { Ok(None) }
}

/// What the vocabulary's files say of the longest text; a number without meaning is as good as none.
fn longest_of(model: &Path) -> Result<usize> {
    let config: Map<String, Value> =
        optional(&model.join("tokenizer_config.json"))?.unwrap_or_default();
    let longest = config.get("model_max_length").and_then(Value::as_u64);
    Ok(longest.map_or(usize::MAX, |longest| longest as usize))
}

fn must_have_no_prompt(path: &Path) -> Result<()> {
    let config: Map<String, Value> = optional(path)?.unwrap_or_default();
    let Some(name) = config.get("default_prompt_name").and_then(Value::as_str) else {
        return Ok(());
    };
    match config.get("prompts").and_then(|prompts| prompts[name].as_str()).map(shorten) {
        Some(prompt) if !prompt.is_empty() => {
            let reason = format!("puts `{prompt}` before every text: that is not done here");
            Err(Error::file(path, reason))
        }
        _ => Ok(()),
    }
}

/// The one pooling that a file asks for: `pooling_mode` names it, or one of the switches of older files.
fn pooling(path: &Path) -> Result<Pooling> {
    let config: Map<String, Value> = read_json(path)?;
    let switched = config.iter().filter(|(_, on)| **on == Value::Bool(true));
    let switched = switched.filter_map(|(key, _)| key.strip_prefix("pooling_mode_"));
    let asked: Vec<&str> = match config.get("pooling_mode") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(name) => name.as_str().into_iter().collect(),
        None => switched.collect(),
    };
    match asked[..] {
        ["cls" | "cls_token"] => Ok(Pooling::Cls),
        ["mean" | "mean_tokens"] => Ok(Pooling::Mean),
        ["max" | "max_tokens"] => Ok(Pooling::Max),
        _ => {
            let asked = shorten(&asked.join(", "));
            let reason = format!("pools by `{asked}`: cls, mean or max alone is done here");
            Err(Error::file(path, reason))
        }
    }
}
