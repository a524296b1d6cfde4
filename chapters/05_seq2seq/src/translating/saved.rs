//! What training leaves for translating: parameters, sizes, two vocabularies.

use super::recipe::{Recipe, Words};
use corpora::Vocabulary;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::fingerprint;
use workbench::parameters::{count_parameters, load_parameters, read_description, save_parameters};
use workbench::training::holds_checkpoint;

const PARAMETERS: &str = "model.safetensors";
const SOURCE: &str = "source_words.json";
const TARGET: &str = "target_words.json";

/// The folder in an output folder that keeps the model unless a checkpoint folder is named.
pub const MODEL: &str = "model";

/// The folder `translate` looks into unless told otherwise.
pub fn model_folder<R: Recipe>() -> PathBuf {
    PathBuf::from("out").join(R::CHAPTER).join(MODEL)
}

/// What stands in `model.safetensors` beside the parameters: all that is needed to build the model.
#[derive(Serialize, Deserialize)]
struct Description<C> {
    /// The chapter.
    model: String,
    config: C,
    /// How many words the vocabularies have.
    counts: [usize; 2],
    /// Their fingerprints: as many words need not be the same words.
    words: [String; 2],
}

/// The part of a description that every chapter can read.
#[derive(Deserialize)]
struct Kind {
    model: String,
}

/// A trained translator with its words.
pub struct SavedTranslator<R: Recipe> {
    /// The model.
    pub model: R::Model,
    /// Words of the language to translate from.
    pub source: Vocabulary,
    /// Words of the language to translate into.
    pub target: Vocabulary,
}

/// Writes a model and its vocabularies into a folder, each file whole or not at all.
///
/// # Errors
/// When a file cannot be written.
pub fn save<R: Recipe>(
    folder: &Path,
    model: &mut R::Model,
    config: &R::Config,
    (source, target): (&Vocabulary, &Vocabulary),
) -> Result<()> {
    let vocabularies = [source, target];
    let (words, counts) = (vocabularies.map(words_of), vocabularies.map(Vocabulary::len));
    let (model_name, config) = (R::CHAPTER.to_owned(), config.clone());
    let description = Description { model: model_name, config, counts, words };
    source.save(&folder.join(SOURCE))?;
    target.save(&folder.join(TARGET))?;
    save_parameters(&folder.join(PARAMETERS), model, &description)
}

/// Reads what [`save`] wrote.
///
/// # Errors
/// When there is no model in the folder, it is another chapter's, or a file is damaged.
pub fn load<R: Recipe>(folder: &Path) -> Result<SavedTranslator<R>> {
    let path = folder.join(PARAMETERS);
    if !path.exists() {
        let run = format!("cargo run --release -p {}", R::CHAPTER);
        let how = match holds_checkpoint(folder) {
            true => format!(
                "a training that has not ended, no model yet; add --resume to the command that \
                 began it: {run} -- --checkpoint {} --resume",
                folder.display()
            ),
            false => format!("no trained model here; this trains one: {run}"),
        };
        return Err(Error::file(folder, how));
    }
    let Kind { model } = read_description(&path)?;
    if model != R::CHAPTER {
        return Err(Error::file(&path, format!("a model of `{model}`, not of `{}`", R::CHAPTER)));
    }
    let Description::<R::Config> { config, counts, words, .. } = read_description(&path)?;
    R::check(&config).map_err(|reason| Error::file(&path, reason))?;
    let source = vocabulary(&folder.join(SOURCE), counts[0], &words[0])?;
    let target = vocabulary(&folder.join(TARGET), counts[1], &words[1])?;
    let words = Words { source: source.len(), target: target.len() };
    let stored = count_parameters(&path)?;
    if R::parameters(&config, words) != Some(stored) {
        let reason = format!("describes a model of other sizes than its {stored} numbers have");
        return Err(Error::file(&path, reason));
    }
    let mut model = R::build(&config, words, &mut shared::rng(0));
    load_parameters(&path, &mut model)?;
    Ok(SavedTranslator { model, source, target })
}

/// Reads a vocabulary of so many words, if it is the model's.
fn vocabulary(path: &Path, size: usize, expected: &str) -> Result<Vocabulary> {
    let vocabulary = Vocabulary::load(path)?;
    let reason = match vocabulary.len() == size {
        true if words_of(&vocabulary) == expected => return Ok(vocabulary),
        true => "not the words of the model beside it".to_owned(),
        false => format!("{} words, but the model beside it knows {size}", vocabulary.len()),
    };
    Err(Error::file(path, reason))
}

/// A short name for exactly these words in this order.
fn words_of(vocabulary: &Vocabulary) -> String {
    let words: Vec<&str> = (0..vocabulary.len()).map(|number| vocabulary.word(number)).collect();
    fingerprint(words.join("\n").as_bytes())
}
