//! `translate --file IN --output OUT`: a whole file, a sentence a line.

use super::saved::{SavedTranslator, load, model_folder};
use super::translate::{TranslateArgs, too_long, too_many};
use crate::decoding::{beam_within, cut_off};
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
use corpora::{END, Tokenizer, UNKNOWN, read_lines};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::marks::{self, must_be_free, write_marked};
use workbench::program::{counted, progress, say};

/// Translates every line of a file into a line of another one. What is wrong with the files is said
/// before anything is translated.
pub fn translate_file<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    arguments: &TranslateArgs,
) -> Result<()> {
    let (Some(input), Some(output)) = (&arguments.file, &arguments.output) else {
        return Err(Error::argument("--file and --output belong together"));
    };
    must_be_free(output, marks::NONE)?;
    let lines = read_lines(input)?;
    sentences(input, &lines, Tokenizer::Course)?; // what no model can read is refused before one is loaded
    let folder = arguments.checkpoint.clone().unwrap_or_else(|| model_folder(chapter.name));
    arguments.precision.begin()?;
    let trained = load(chapter, &folder)?;
    let sentences = sentences(input, &lines, trained.tokenizer)?;
    let numbers = numbers(input, &sentences, &trained)?;
    let (lines, cut) = translated(&trained, &numbers, arguments.beam as usize);
    write_marked(output, marks::NONE, lines.concat().as_bytes())?;
    say(format!("{} translated into {}", counted(lines.len(), "line"), output.display()));
    unknown(&sentences, &trained).iter().for_each(say);
    cut_off(cut, lines.len()).iter().for_each(say);
    Ok(())
}

fn sentences(path: &Path, lines: &[String], tokenizer: Tokenizer) -> Result<Vec<Vec<String>>> {
    let sentences = (1..).zip(lines).map(|(number, line)| {
        let words = tokenizer.tokenize(line);
        match too_long(&words) {
            Some(reason) => Err(Error::line(path, number, reason)),
            None => Ok(words),
        }
    });
    sentences.collect()
}

/// The numbers of every line, closed; none of an empty one.
fn numbers(
    path: &Path,
    sentences: &[Vec<String>],
    trained: &SavedTranslator<impl Translator>,
) -> Result<Vec<Vec<usize>>> {
    let all = (1..).zip(sentences).map(|(line, words)| {
        let mut numbers = trained.source.encode(words);
        numbers.extend((!words.is_empty()).then_some(END));
        match too_many(numbers.len(), trained.model.longest()) {
            Some(reason) => Err(Error::line(path, line, reason)),
            None => Ok(numbers),
        }
    });
    all.collect()
}

/// The translations in the order of the sentences, each a line, and how many were cut off. Sentences of about the same length
/// are translated together, the longest first.
fn translated(
    trained: &SavedTranslator<impl Translator>,
    sources: &[Vec<usize>],
    kept: usize,
) -> (Vec<String>, usize) {
    let mut order: Vec<usize> = (0..sources.len()).filter(|&i| !sources[i].is_empty()).collect();
    order.sort_by_key(|&i| Reverse(sources[i].len()));
    let bar = progress(order.len() as u64, "sentences").with_message("translating");
    bar.tick();
    let found = together(&order, |i| sources[i].len()).into_par_iter().flat_map_iter(|some| {
        let sources: Vec<&[usize]> = some.iter().map(|&i| &sources[i][..]).collect();
        let found = beam_within(&trained.model, &sources, kept, 1.0, trained.per_word);
        bar.inc(found.len() as u64);
        found.into_iter().map(|translation| {
            let words = trained.target.decode(&translation.words);
            (trained.tokenizer.detokenize(&words) + "\n", translation.cut)
        })
    });
    let found: Vec<(String, bool)> = found.collect();
    bar.finish_and_clear();
    let mut lines = vec!["\n".to_owned(); sources.len()]; // an empty line stays one
    let cut = found.iter().filter(|(_, cut)| *cut).count();
    for (i, (line, _)) in order.into_iter().zip(found) {
        lines[i] = line;
    }
    (lines, cut)
}

/// Sentences that are translated at once, in turn: so many that memory is about the same, however long they are.
fn together(order: &[usize], length: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    const SENTENCES: usize = 32;
    const NUMBERS: usize = 2048;
    let mut some = Vec::new();
    let mut rest = order;
    while let Some(first) = rest.first() {
        let count = (NUMBERS / length(*first)).clamp(1, SENTENCES).min(rest.len());
        let (now, others) = rest.split_at(count);
        some.push(now);
        rest = others;
    }
    some
}

/// What to say about words that the model does not know, the most frequent first.
fn unknown<M>(sentences: &[Vec<String>], trained: &SavedTranslator<M>) -> Option<String> {
    const SHOWN: usize = 5;
    let mut counts: HashMap<&String, usize> = HashMap::new();
    sentences.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
    counts.retain(|word, _| trained.source.encode(std::slice::from_ref(*word)).contains(&UNKNOWN));
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(word, count)| (Reverse(*count), *word));
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let shown =
        counts.iter().take(SHOWN).map(|(word, _)| format!("`{}`", trained.tokenizer.shown(word)));
    let others = counts.len().checked_sub(SHOWN).filter(|others| *others > 0);
    let shown: Vec<String> = shown.chain(others.map(|n| format!("{n} others"))).collect();
    let shown = shown.join(", ");
    (total > 0).then(|| {
        format!("words that the model does not know, translated around: {total} ({shown})")
    })
}
