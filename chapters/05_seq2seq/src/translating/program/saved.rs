//! What training leaves for translating, in one file: parameters, sizes, two vocabularies, and how
//! words fall into pieces if they do.

use crate::decoding::PER_WORD;
use crate::translating::corpus::{Corpus, Words};
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
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
pub fn model_folder(name: &str) -> PathBuf {
    PathBuf::from("out").join(name).join(MODEL)
}

/// The description in `model.safetensors`, beside the parameters: all that is needed to build the model.
#[derive(Serialize, Deserialize)]
struct Contents<C> {
    model: String,
    config: C,
    source: Vocabulary,
    target: Vocabulary,
    /// The merges of a vocabulary of pieces, which both languages have in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merges: Option<Vec<Merge>>,
    /// The course's own unless something is said.
    #[serde(default)]
    tokenizer: Tokenizer,
    /// The rate in the limit of translations; earlier versions wrote none that was [`PER_WORD`].
    #[serde(default)]
    per_word: Option<f64>,
    /// Whether an earlier version wrote the model: words by the course's rules, but with capitals.
    #[serde(default, skip_serializing)]
    cased: bool,
}

impl<C> Contents<C> {
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

pub struct SavedTranslator<M> {
    pub model: M,
    pub source: Vocabulary,
    pub target: Vocabulary,
    pub tokenizer: Tokenizer,
    /// The rate in the limit of translations: see [`word_limit`](crate::decoding::word_limit).
    pub per_word: f64,
}

/// Whether [`save`] can put a model into a folder: better known before the training.
pub fn check_place(name: &str, folder: &Path) -> Result<()> {
    holds_own_model(folder, &[name])?;
    must_be_replaceable(&folder.join(PARAMETERS))
}

/// Writes a model and its vocabularies into a folder: one file, there as a whole or not at all.
pub fn save<C: Description>(
    folder: &Path,
    (name, model): (&str, &mut impl Translator),
    config: &C,
    corpus: &Corpus,
) -> Result<()> {
    let (source, target) = (Vocabulary::clone(&corpus.source), Vocabulary::clone(&corpus.target));
    let contents = Contents {
        model: name.to_owned(),
        config: config.clone(),
        merges: source.merges().map(<[Merge]>::to_vec),
        source,
        target,
        tokenizer: corpus.tokenizer,
        per_word: Some(corpus.per_word),
        cased: false,
    };
    save_parameters(&folder.join(PARAMETERS), model, &contents)
}

/// Reads what a training saved. Nothing is built that is much larger than the file.
pub fn load<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    folder: &Path,
) -> Result<SavedTranslator<M>> {
    let path = folder.join(PARAMETERS);
    if folder.is_file() || !is_there(&path)? {
        return Err(Error::file(folder, how_to_train(chapter.name, folder)));
    }
    let file = ParameterFile::open(&path)?;
    let refused = |reason| Error::file(&path, reason);
    let Kind { model } = file.description()?;
    if model != chapter.name {
        return Err(refused(format!("a model of `{model}`, not of `{}`", chapter.name)));
    }
    let contents: Contents<C> = file.description()?;
    let config = contents.config.clone();
    let tokenizer = contents.tokenizer;
    let per_word = contents.per_word.unwrap_or(PER_WORD).clamp(PER_WORD, 1000.0);
    if contents.cased {
        let reason =
            "an earlier version trained it with capitals (--cased), which this one cannot read";
        return Err(refused(reason.to_owned()));
    }
    (chapter.check)(&config, contents.merges.is_some()).map_err(refused)?;
    let [source, target] = contents.vocabularies().map_err(refused)?;
    let words = Words { source: source.len(), target: target.len() };
    let numbers = file.count();
    if (chapter.least)(&config, words) > numbers.into() {
        let reason = format!("describes a model of other sizes than its {numbers} numbers have");
        return Err(refused(reason));
    }
    let mut model = (chapter.build)(&config, words, &mut shared::rng(0));
    file.load(&mut model)?;
    Ok(SavedTranslator { model, source, target, tokenizer, per_word })
}

/// Why there is no model in a folder, and what to do.
fn how_to_train(name: &str, folder: &Path) -> String {
    let run = format!("cargo run --release -p {name}");
    // The output folder, or the file itself, named instead of the model's folder.
    let near = [Some(folder.join(MODEL)), folder.parent().map(Path::to_owned)];
    if let Some(near) = near.into_iter().flatten().find(|near| near.join(PARAMETERS).is_file()) {
        let near = if near == Path::new("") { Path::new(".") } else { &near };
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
