//! `translate --file IN --output OUT`: a whole file, a sentence a line.

use super::judge::together;
use super::recipe::Recipe;
use super::saved::{SavedTranslator, load, model_folder};
use super::translate::{TranslateArgs, too_long};
use crate::decoding::beam_all;
use corpora::{Case, END, UNKNOWN, Vocabulary, detokenize, read_lines, tokenize_as};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::{must_be_writable, write};
use workbench::program::{progress, say};

/// Translates every line of a file into a line of another one. What is wrong with the files is told
/// before anything is translated.
pub fn translate_file<R: Recipe>(arguments: &TranslateArgs) -> Result<()> {
    let (Some(input), Some(output)) = (&arguments.file, &arguments.output) else {
        return Err(Error::argument("--file and --output belong together"));
    };
    must_be_writable(output)?;
    must_spare(input, output)?;
    let lines = read_lines(input)?;
    sentences(input, &lines, Case::Lower)?; // cut at the same places in either case
    let folder = arguments.checkpoint.clone().unwrap_or_else(model_folder::<R>);
    let trained = load::<R>(&folder)?;
    let sentences = sentences(input, &lines, trained.case)?;
    let lines = translated(&trained, &sentences, arguments.beam as usize);
    write(output, lines.concat().as_bytes())?;
    let (count, place) = (lines.len(), output.display());
    say(format!("{count} {} translated into {place}", if count == 1 { "line" } else { "lines" }));
    unknown(&sentences, &trained.source).iter().for_each(say);
    Ok(())
}

/// Refuses to write the translations over what is translated.
fn must_spare(input: &Path, output: &Path) -> Result<()> {
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(input), Ok(place)) if input == place => {
            Err(Error::file(output, "is the file to be translated: choose another one"))
        }
        _ => Ok(()),
    }
}

/// The words of every line.
fn sentences(path: &Path, lines: &[String], case: Case) -> Result<Vec<Vec<String>>> {
    let words = |(number, line): (u64, &String)| {
        let words = tokenize_as(line, case);
        match too_long(&words) {
            Some(reason) => Err(Error::line(path, number, reason)),
            None => Ok(words),
        }
    };
    (1..).zip(lines).map(words).collect()
}

/// The translations in the order of the sentences, each a line. Sentences of about the same length
/// are translated together, the longest first.
fn translated<R: Recipe>(
    trained: &SavedTranslator<R>,
    sentences: &[Vec<String>],
    kept: usize,
) -> Vec<String> {
    let mut order: Vec<usize> =
        (0..sentences.len()).filter(|&i| !sentences[i].is_empty()).collect();
    order.sort_by_key(|&i| Reverse(sentences[i].len()));
    let closed = |&i: &usize| [trained.source.encode(&sentences[i]), vec![END]].concat();
    let bar = progress(order.len() as u64, "sentences").with_message("translating");
    bar.tick();
    let found = together(order.len(), |some| {
        let sources: Vec<Vec<usize>> = order[some].iter().map(closed).collect();
        let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
        let found = beam_all(&trained.model, &sources, kept, 1.0);
        bar.inc(found.len() as u64);
        let text = |words: &[usize]| detokenize(&trained.target.decode(words));
        found.iter().map(|translation| text(&translation.words) + "\n").collect()
    });
    bar.finish_and_clear();
    let mut lines = vec!["\n".to_owned(); sentences.len()]; // an empty line stays one
    order.into_iter().zip(found).for_each(|(i, line)| lines[i] = line);
    lines
}

/// What to tell about words that the model does not know, the most frequent first.
fn unknown(sentences: &[Vec<String>], known: &Vocabulary) -> Option<String> {
    const SHOWN: usize = 5;
    let is_unknown = |word: &String| known.encode(std::slice::from_ref(word)).contains(&UNKNOWN);
    let mut counts: HashMap<&String, usize> = HashMap::new();
    sentences.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().filter(|(word, _)| is_unknown(word)).collect();
    counts.sort_unstable_by_key(|(word, count)| (Reverse(*count), *word));
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let shown = counts.iter().take(SHOWN).map(|(word, _)| format!("`{word}`"));
    let others = counts.len().checked_sub(SHOWN).filter(|others| *others > 0);
    let shown: Vec<String> = shown.chain(others.map(|n| format!("{n} others"))).collect();
    let shown = shown.join(", ");
    (total > 0).then(|| {
        format!("words that the model does not know, translated around: {total} ({shown})")
    })
}
