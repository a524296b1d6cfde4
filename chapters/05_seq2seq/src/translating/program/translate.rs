//! `translate "…"`: the model at work.

use super::saved::{SavedTranslator, load, model_folder};
use crate::alignment::on_words;
use crate::decoding::{beam_within, cut_off};
use crate::translating::drawing::draw;
use crate::translating::drawing::view::viewer;
use crate::translating::judge::BEAM;
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
use clap::Args;
use corpora::{END, Tokenizer, UNKNOWN};
use shared::Matrix;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::marks::{self, must_be_free, write_marked};
use workbench::program::{PrecisionArgs, say, say_aside};

/// Words of a sentence to translate, at most.
const LONGEST: usize = 200;
/// Its words or pieces of words, at most.
const MOST_PIECES: usize = 1024;

#[derive(Args, Debug, Clone)]
pub struct TranslateArgs {
    /// The sentence, in one pair of quotation marks
    #[arg(required_unless_present = "file")]
    sentence: Option<String>,
    /// Translate a file instead, a sentence a line; words that the model does not know are
    /// translated around
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with_all = ["sentence", "svg", "view"])]
    pub(crate) file: Option<PathBuf>,
    /// The file that receives the translations, line by line: a new one, there as a whole or not at all
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "sentence")]
    pub(crate) output: Option<PathBuf>,
    /// Folder with the trained model [default: where `train` leaves it]
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How many translations are kept in mind while searching
    #[arg(long, value_name = "N", default_value_t = BEAM as u64,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(crate) beam: u64,
    /// Translate words the model does not know as `<unk>` instead of refusing them
    #[arg(long)]
    unknown: bool,
    /// Also draw the alignment into this file
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Also write a page that shows where every head looked, and what the sentence becomes without it, to
    /// be opened in a browser
    #[arg(long, value_name = "FILE.html")]
    view: Option<PathBuf>,
    /// In how many bits products read their factors.
    #[command(flatten)]
    pub(crate) precision: PrecisionArgs,
}

pub fn translate<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    arguments: &TranslateArgs,
) -> Result<()> {
    let folder = arguments.checkpoint.clone().unwrap_or_else(|| model_folder(chapter.name));
    let sentence = arguments.sentence.as_deref().unwrap_or_default();
    words_of(sentence, Tokenizer::Course)?; // what no model can read is refused before one is loaded
    for (file, mark) in [(&arguments.svg, marks::DRAWING), (&arguments.view, marks::PAGE)] {
        file.as_ref().map_or(Ok(()), |file| must_be_free(file, mark))?;
    }
    if arguments.svg.is_some() && arguments.svg == arguments.view {
        return Err(Error::argument("--svg and --view name the same file"));
    }
    arguments.precision.begin()?;
    let mut trained = load(chapter, &folder)?;
    let words = words_of(sentence, trained.tokenizer)?;
    let source = numbers(&words, &trained, arguments.unknown, &folder)?;
    let count = source.len();
    if let Some(reason) = too_many(count, trained.model.longest()) {
        return Err(Error::argument(reason));
    }
    let kept = arguments.beam as usize;
    let found = beam_within(&trained.model, &[&source], kept, 1.0, trained.per_word).remove(0);
    let target = trained.target.decode(&found.words);
    say(trained.tokenizer.detokenize(&target));
    cut_off(found.cut.into(), 1).iter().for_each(say_aside);
    let weights = (found.alignment.nrows() == count).then(|| {
        let spans = trained.source.spans(&source[..count - 1]);
        on_words(&found.alignment, &spans, &trained.target.spans(&found.words))
    });
    let [read, written] = [&words, &target]
        .map(|words| words.iter().map(|word| trained.tokenizer.shown(word)).collect::<Vec<_>>());
    show_alignment(&read, &written, weights, arguments.svg.as_deref())?;
    let Some(path) = &arguments.view else { return Ok(()) };
    let vocabularies = [&trained.source, &trained.target];
    let search = (kept, trained.per_word);
    let viewer =
        viewer(chapter, &mut trained.model, vocabularies, trained.tokenizer, &source, search);
    let mut viewer = viewer.ok_or_else(|| {
        Error::argument(
            "--view: there is no attention to show, in this model or of this translation (without \
             words, or without an end)",
        )
    })?;
    let pairs = parallel::examples();
    let known = pairs.iter().find(|pair| pair.source == words && pair.target == target);
    let cross = viewer.states[0].groups.last_mut();
    if let (Some(alignment), Some(cross), None) =
        (known.and_then(|pair| pair.alignment.as_ref()), cross, trained.source.merges())
    {
        cross.links = alignment.sure.iter().map(|&(read, written)| [written, read]).collect();
    }
    write_marked(path, marks::PAGE, viewer.html().as_bytes())
}

/// The words of the sentence, if a model can read them at all.
fn words_of(sentence: &str, tokenizer: Tokenizer) -> Result<Vec<String>> {
    let words = tokenizer.tokenize(sentence);
    let empty = words.is_empty().then(|| "the sentence is empty".to_owned());
    empty.or(too_long(&words)).map_or(Ok(words), |reason| Err(Error::argument(reason)))
}

/// Why so many numbers, the end's among them, are not translated by a model of so many positions, if they are too many.
pub(crate) fn too_many(count: usize, places: usize) -> Option<String> {
    let most = places.min(MOST_PIECES);
    (count > most).then(|| {
        format!(
            "the sentence has {count} words or pieces, its end included, but {most} are the most that this \
             model can read at once"
        )
    })
}

/// Why a sentence is not translated, if it is too long.
pub(crate) fn too_long(words: &[String]) -> Option<String> {
    let n = words.len();
    (n > LONGEST).then(|| {
        format!("the sentence has {n} words; {LONGEST} are the most that can be translated at once")
    })
}

fn numbers(
    words: &[String],
    trained: &SavedTranslator<impl Translator>,
    unknown: bool,
    folder: &Path,
) -> Result<Vec<usize>> {
    let known = &trained.source;
    let mut numbers = known.encode(words);
    let mut strange: Vec<String> = words
        .iter()
        .zip(known.spans(&numbers))
        .filter(|(_, span)| numbers[span.clone()].contains(&UNKNOWN))
        .map(|(word, _)| format!("`{}`", trained.tokenizer.shown(word)))
        .collect();
    strange.dedup();
    if !strange.is_empty() && !unknown {
        let (count, strange) = (known.len(), strange.join(", "));
        let knows = match known.merges() {
            Some(_) => format!("{count} pieces of words, but not all letters of {strange}"),
            None => format!("{count} words, but not {strange}"),
        };
        let reason = format!("the model knows {knows} (--unknown translates around them)");
        return Err(Error::file(folder, reason));
    }
    numbers.push(END);
    Ok(numbers)
}

fn show_alignment(
    source: &[String],
    target: &[String],
    weights: Option<Matrix>,
    svg: Option<&Path>,
) -> Result<()> {
    let refused = |reason: &str| svg.map_or(Ok(()), |_| Err(Error::argument(reason)));
    if target.is_empty() {
        return refused("--svg: the translation is empty, there is nothing to draw");
    }
    let Some(weights) = weights else {
        return refused("--svg: this model has no alignment to draw");
    };
    say(draw::in_text(&weights, source, target));
    let Some(path) = svg else { return Ok(()) };
    let drawing = draw::heatmap("", &weights, source, target).to_string();
    write_marked(path, marks::DRAWING, drawing.as_bytes())
}
