//! What training leaves for translating, in one file: parameters, sizes, two vocabularies, and how
//! words fall into pieces if they do.

use crate::decoding::PER_WORD;
use crate::translating::training::recipe::{Recipe, Words};
use corpora::{Merge, Tokenizer, Vocabulary};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{holds_own_model, must_be_replaceable};
use workbench::folders::is_there;
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};
use workbench::training::find_checkpoint;

const PARAMETERS: &str = MODEL_FILE;

/// The folder in an output folder that keeps the model unless a checkpoint folder is named.
pub const MODEL: &str = "model";

/// The folder `translate` looks into by default.
pub fn model_folder<R: Recipe>() -> PathBuf {
    PathBuf::from("out").join(R::CHAPTER).join(MODEL)
}

/// What stands in `model.safetensors` beside the parameters: all that is needed to build the model.
#[derive(Serialize, Deserialize)]
struct Description<C> {
    model: String,
    config: C,
    source: Vocabulary,
    target: Vocabulary,
    /// Of a vocabulary of pieces, which both languages have in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merges: Option<Vec<Merge>>,
    /// The course's own unless something is said.
    #[serde(default)]
    tokenizer: Tokenizer,
    /// Of the limit of translations; of earlier versions nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    per_word: Option<f64>,
    /// Of models that an earlier version wrote: words by the course's rules, but with capitals.
    #[serde(default, skip_serializing)]
    cased: bool,
}

impl<C> Description<C> {
    /// Both vocabularies, of pieces if there are merges.
    fn vocabularies(self) -> Result<[Vocabulary; 2], String> {
        let Some(merges) = self.merges else { return Ok([self.source, self.target]) };
        if self.source != self.target {
            return Err("pieces of words for two vocabularies: one for both is needed".to_owned());
        }
        let both = self.source.with_merges(merges)?;
        Ok([both.clone(), both])
    }
}

/// The part of a description that every chapter can read.
#[derive(Deserialize)]
struct Kind {
    model: String,
}

pub struct SavedTranslator<R: Recipe> {
    pub model: R::Model,
    pub source: Vocabulary,
    pub target: Vocabulary,
    pub tokenizer: Tokenizer,
    /// Of the limit of translations: see [`word_limit`](crate::decoding::word_limit).
    pub per_word: f64,
}

/// Whether [`save`] can put a model into a folder: better known before the training.
pub fn check_place<R: Recipe>(folder: &Path) -> Result<()> {
    holds_own_model(folder, &[R::CHAPTER])?;
    must_be_replaceable(&folder.join(PARAMETERS))
}

/// Writes a model and its vocabularies into a folder: one file, there as a whole or not at all.
pub fn save<R: Recipe>(
    folder: &Path,
    model: &mut R::Model,
    config: &R::Config,
    (source, target): (&Vocabulary, &Vocabulary),
    (tokenizer, per_word): (Tokenizer, f64),
) -> Result<()> {
    let (source, target, merges) =
        (source.clone(), target.clone(), source.merges().map(<[Merge]>::to_vec));
    let (kind, config) = (R::CHAPTER.to_owned(), config.clone());
    let per_word = Some(per_word).filter(|per_word| *per_word != PER_WORD);
    let cased = false;
    let description =
        Description { model: kind, config, source, target, merges, tokenizer, per_word, cased };
    save_parameters(&folder.join(PARAMETERS), model, &description)
}

/// Reads what [`save`] wrote. Nothing is built before its size is known to be the file's.
pub fn load<R: Recipe>(folder: &Path) -> Result<SavedTranslator<R>> {
    let path = folder.join(PARAMETERS);
    if folder.is_file() || !is_there(&path)? {
        return Err(Error::file(folder, how_to_train::<R>(folder)));
    }
    let file = ParameterFile::open(&path)?;
    let Kind { model } = file.description()?;
    if model != R::CHAPTER {
        return Err(Error::file(&path, format!("a model of `{model}`, not of `{}`", R::CHAPTER)));
    }
    let description: Description<R::Config> = file.description()?;
    let (config, joint) = (description.config.clone(), description.merges.is_some());
    let tokenizer = description.tokenizer;
    let per_word = description.per_word.unwrap_or(PER_WORD).clamp(PER_WORD, 1000.0);
    let refused = |reason| Error::file(&path, reason);
    if description.cased {
        let reason =
            "an earlier version trained it with capitals (--cased), which this one cannot read";
        return Err(refused(reason.to_owned()));
    }
    R::check(&config).and_then(|()| R::check_vocabularies(&config, joint)).map_err(refused)?;
    let [source, target] = description.vocabularies().map_err(refused)?;
    let words = Words { source: source.len(), target: target.len() };
    if R::parameters(&config, words) != Some(file.count()) {
        let numbers = file.count();
        let reason = format!("describes a model of other sizes than its {numbers} numbers have");
        return Err(Error::file(&path, reason));
    }
    let mut model = R::build(&config, words, &mut shared::rng(0));
    file.load(&mut model)?;
    Ok(SavedTranslator { model, source, target, tokenizer, per_word })
}

/// Why there is no model in a folder, and what to do.
fn how_to_train<R: Recipe>(folder: &Path) -> String {
    let run = format!("cargo run --release -p {}", R::CHAPTER);
    // The output folder, or the file itself, named instead of the model's folder.
    let near = [Some(folder.join(MODEL)), folder.parent().map(Path::to_owned)];
    if let Some(near) = near.into_iter().flatten().find(|near| near.join(PARAMETERS).is_file()) {
        return format!("no model here, but there is one in {}: name that folder", near.display());
    }
    match find_checkpoint(folder) {
        Some(begun) => format!(
            "a training that has not ended, no model yet; add --resume to the command that began \
             it: {run} -- --checkpoint {} --resume",
            begun.display()
        ),
        None => format!("no trained model here; this trains one: {run}"),
    }
}
