//! What training leaves for translating: parameters, sizes, two vocabularies.

use super::Recipe;
use crate::Sizes;
use corpora::Vocabulary;
use serde::{Deserialize, Serialize};
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::fingerprint;
use workbench::parameters::{load_parameters, read_description, save_parameters};
use workbench::training::holds_checkpoint;

const MODEL: &str = "model.safetensors";
const SOURCE: &str = "source_words.json";
const TARGET: &str = "target_words.json";

/// What stands in `model.safetensors` beside the parameters: all that is needed to build the model.
#[derive(Serialize, Deserialize)]
struct Description<C> {
    /// The chapter.
    model: String,
    sizes: Sizes,
    choices: C,
    /// Fingerprints of the vocabularies: as many words need not be the same words.
    words: [String; 2],
}

/// The part of a description that every chapter can read.
#[derive(Deserialize)]
struct Kind {
    model: String,
}

/// A trained translator with its words.
pub struct Trained<R: Recipe> {
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
    (sizes, choices): (&Sizes, &R::Choices),
    (source, target): (&Vocabulary, &Vocabulary),
) -> Result<()> {
    let (chapter, words) = (R::CHAPTER.to_owned(), [source, target].map(words_of));
    let description =
        Description { model: chapter, sizes: sizes.clone(), choices: choices.clone(), words };
    source.save(&folder.join(SOURCE))?;
    target.save(&folder.join(TARGET))?;
    save_parameters(&folder.join(MODEL), model, &description)
}

/// Reads what [`save`] wrote.
///
/// # Errors
/// When there is no model in the folder, it is another chapter's, or a file is damaged.
pub fn load<R: Recipe>(folder: &Path) -> Result<Trained<R>> {
    let path = folder.join(MODEL);
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
    let Description::<R::Choices> { sizes, choices, words, .. } = read_description(&path)?;
    sizes.check().map_err(|reason| Error::file(&path, reason))?;
    let source = vocabulary(&folder.join(SOURCE), sizes.source_words, &words[0])?;
    let target = vocabulary(&folder.join(TARGET), sizes.target_words, &words[1])?;
    let mut model = R::build(&sizes, &choices, &mut shared::rng(0));
    load_parameters(&path, &mut model)?;
    Ok(Trained { model, source, target })
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
