//! What training leaves for translating: parameters, sizes, two vocabularies.

use super::Recipe;
use crate::Sizes;
use serde::{Deserialize, Serialize};
use shared::error::{Error, Result};
use shared::text::Vocabulary;
use shared::training::{load_parameters, read_description, save_parameters};
use std::path::Path;

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
    let chapter = R::CHAPTER.to_owned();
    let description =
        Description { model: chapter, sizes: sizes.clone(), choices: choices.clone() };
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
        let how = format!(
            "no trained model here; this trains one: cargo run --release -p {}",
            R::CHAPTER
        );
        return Err(Error::file(folder, how));
    }
    let Kind { model } = read_description(&path)?;
    if model != R::CHAPTER {
        return Err(Error::file(&path, format!("a model of `{model}`, not of `{}`", R::CHAPTER)));
    }
    let Description::<R::Choices> { sizes, choices, .. } = read_description(&path)?;
    sizes.check().map_err(|reason| Error::file(&path, reason))?;
    let words = |name: &str, words: usize| {
        let vocabulary = Vocabulary::load(&folder.join(name))?;
        match vocabulary.len() == words {
            true => Ok(vocabulary),
            false => Err(Error::file(
                &folder.join(name),
                format!("{} words, but the model beside it knows {words}", vocabulary.len()),
            )),
        }
    };
    let source = words(SOURCE, sizes.source_words)?;
    let target = words(TARGET, sizes.target_words)?;
    let mut model = R::build(&sizes, &choices, &mut shared::rng(0));
    load_parameters(&path, &mut model)?;
    Ok(Trained { model, source, target })
}
