//! How a folder of *sentence-transformers* wants the vectors of its sentences made.

use clap::ValueEnum;
use serde::Deserialize;
use serde::de::DeserializeOwned;
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
    /// Reads where the model is, and what is made of it; `None` for a folder that does not say.
    pub fn read(folder: &Path) -> Result<Option<(PathBuf, Recipe)>> {
        let path = folder.join("modules.json");
        let Some(modules) = optional::<Vec<Module>>(&path)? else { return Ok(None) };
        let library = "sentence_transformers.";
        let classes = modules.iter().map(|one| match one.class.strip_prefix(library) {
            Some(class) => class.rsplit('.').next().unwrap_or_default(),
            None => &one.class,
        });
        let unit = match classes.collect::<Vec<_>>().join(", ").as_str() {
            "Transformer, Pooling" => false,
            "Transformer, Pooling, Normalize" => true,
            classes => {
                let needed = "Transformer, Pooling, and Normalize at most, are followed";
                let reason = format!("lists {}: {needed}", shorten(classes));
                return Err(Error::file(&path, reason));
            }
        };
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if let Some(odd) = modules.iter().find(|one| !one.path.components().all(inside)) {
            let name = shorten(&odd.path.to_string_lossy());
            let reason = format!("names `{name}`, which is no folder inside this one");
            return Err(Error::file(&path, reason));
        }
        must_have_no_prompt(&folder.join("config_sentence_transformers.json"))?;
        let model = folder.join(&modules[0].path);
        let texts = optional(&model.join("sentence_bert_config.json"))?.unwrap_or_default();
        let Texts { max_seq_length, do_lower_case: lowercase } = texts;
        let longest = max_seq_length.map_or_else(|| longest_of(&model), Ok)?;
        let pooling = pooling(&folder.join(&modules[1].path).join("config.json"))?;
        Ok(Some((model, Recipe { pooling, unit, longest, lowercase })))
    }
}

fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if is_there(path)? { read_json(path).map(Some) } else { Ok(None) }
}

/// The longest text, by the vocabulary's files; a number without meaning is as good as none.
fn longest_of(model: &Path) -> Result<usize> {
    let config: Value = optional(&model.join("tokenizer_config.json"))?.unwrap_or_default();
    Ok(config["model_max_length"].as_u64().map_or(usize::MAX, |longest| longest as usize))
}

fn must_have_no_prompt(path: &Path) -> Result<()> {
    let config: Value = optional(path)?.unwrap_or_default();
    let name = config["default_prompt_name"].as_str().unwrap_or_default();
    match config["prompts"][name].as_str() {
        None | Some("") => Ok(()),
        Some(prompt) => {
            let prompt = shorten(prompt);
            let reason = format!("puts `{prompt}` before every text: that is not done here");
            Err(Error::file(path, reason))
        }
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
