//! `translate "…"`: the model at work.

use super::draw;
use super::judge::BEAM;
use super::recipe::Recipe;
use super::saved::{load, model_folder};
use super::view::viewer;
use crate::decoding::{Translation, beam};
use clap::Args;
use corpora::{END, UNKNOWN, Vocabulary, detokenize, tokenize};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{must_be_replaceable, write};
use workbench::program::say;

/// Words of a sentence to translate, at most.
const LONGEST: usize = 200;

/// Arguments of `translate`.
#[derive(Args, Debug, Clone)]
pub struct TranslateArgs {
    /// The sentence, in one pair of quotation marks
    #[arg(required_unless_present = "file")]
    sentence: Option<String>,
    /// Translate a file instead, a sentence a line; words that the model does not know are
    /// translated around
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with_all = ["sentence", "svg", "view"])]
    pub(super) file: Option<PathBuf>,
    /// The file that receives the translations, line by line; it appears whole or not at all
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(super) output: Option<PathBuf>,
    /// Folder with the trained model [default: where `train` leaves it]
    #[arg(long, value_name = "DIR")]
    pub(super) checkpoint: Option<PathBuf>,
    /// How many translations are kept in mind while searching
    #[arg(long, value_name = "N", default_value_t = BEAM as u64,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(super) beam: u64,
    /// Translate words the model does not know as `<unk>` instead of refusing them
    #[arg(long)]
    unknown: bool,
    /// Also draw the alignment into this file
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Also write a page that shows where every head looked, to be opened in a browser
    #[arg(long, value_name = "FILE.html")]
    view: Option<PathBuf>,
}

/// Translates one sentence.
pub fn translate<R: Recipe>(arguments: &TranslateArgs) -> Result<()> {
    let folder = arguments.checkpoint.clone().unwrap_or_else(|| model_folder::<R>());
    let words = words_of(arguments.sentence.as_deref().unwrap_or_default())?;
    for file in [&arguments.svg, &arguments.view].into_iter().flatten() {
        must_be_replaceable(file)?;
    }
    let trained = load::<R>(&folder)?;
    let source = numbers(&words, &trained.source, arguments.unknown, &folder)?;
    let translation = beam(&trained.model, &source, arguments.beam as usize, 1.0);
    let target = trained.target.decode(&translation.words);
    say(detokenize(&target));
    show_alignment(&words, &target, &translation, arguments.svg.as_deref())?;
    let Some(path) = &arguments.view else { return Ok(()) };
    let numbers = [&source[..words.len()], &translation.words];
    let viewer = viewer::<R>(&trained.model, [&words, &target], numbers).ok_or_else(|| {
        Error::argument(
            "--view: there is no attention to show, in this model or of this translation",
        )
    })?;
    write(path, viewer.html().as_bytes())
}

/// The words of the sentence, if a model can read them at all.
fn words_of(sentence: &str) -> Result<Vec<String>> {
    let words = tokenize(sentence);
    match (words.len(), too_long(&words)) {
        (0, _) => Err(Error::argument("the sentence is empty")),
        (_, Some(reason)) => Err(Error::argument(reason)),
        _ => Ok(words),
    }
}

/// Why a sentence is not translated, if it is too long.
pub(super) fn too_long(words: &[String]) -> Option<String> {
    let n = words.len();
    (n > LONGEST).then(|| {
        format!("the sentence has {n} words; {LONGEST} are the most that can be translated at once")
    })
}

fn numbers(
    words: &[String],
    known: &Vocabulary,
    unknown: bool,
    folder: &Path,
) -> Result<Vec<usize>> {
    let mut numbers = known.encode(words);
    let mut strange: Vec<String> = words
        .iter()
        .zip(&numbers)
        .filter(|(_, n)| **n == UNKNOWN)
        .map(|(w, _)| format!("`{w}`"))
        .collect();
    strange.dedup();
    if !strange.is_empty() && !unknown {
        let reason = format!(
            "the model knows {} words, but not {} (--unknown translates around them)",
            known.len(),
            strange.join(", ")
        );
        return Err(Error::file(folder, reason));
    }
    numbers.push(END);
    Ok(numbers)
}

fn show_alignment(
    source: &[String],
    target: &[String],
    translation: &Translation,
    svg: Option<&Path>,
) -> Result<()> {
    let nothing = match target.is_empty() {
        true => Some("--svg: the translation is empty, there is nothing to draw"),
        false if translation.alignment.nrows() < source.len() => {
            Some("--svg: this model has no alignment to draw")
        }
        false => None,
    };
    if let Some(reason) = nothing {
        return svg.map_or(Ok(()), |_| Err(Error::argument(reason)));
    }
    let weights = translation.alignment.view((0, 0), (source.len(), target.len())).into_owned();
    say(draw::in_text(&weights, source, target));
    match svg {
        Some(path) => {
            write(path, draw::heatmap("", &weights, source, target).to_string().as_bytes())
        }
        None => Ok(()),
    }
}
