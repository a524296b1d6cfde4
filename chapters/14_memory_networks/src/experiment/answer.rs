//! `answer`: a story of the reader's own.

use super::data::Lexicon;
use super::saved::Saved;
use super::show::say_answer;
use clap::Args;
use corpora::stories::words;
use corpora::{Question, Story, lines_of_input, read_lines};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};

#[derive(Args, Clone, Debug)]
pub struct AnswerArgs {
    /// The story: a sentence a line; a line that ends with `?` is asked about those before it [default: what is typed]
    #[arg(value_name = "FILE")]
    pub story: Option<PathBuf>,
    /// Folder of the model
    #[arg(long, value_name = "DIR", default_value = "out/memory_networks/model")]
    pub model: PathBuf,
}

pub fn answer(arguments: &AnswerArgs) -> Result<()> {
    let saved = Saved::read(&arguments.model)?;
    let Some(path) = &arguments.story else {
        let mut told = Vec::new();
        for line in lines_of_input() {
            told.push(line?);
            if told.last().is_some_and(|line| line.trim_end().ends_with('?')) {
                asked(&saved, Path::new("standard input"), &told, true)?;
            }
        }
        return asked(&saved, Path::new("standard input"), &told, false);
    };
    asked(&saved, path, &read_lines(path)?, false)
}

/// Answers all questions of a story, or the last alone.
fn asked(saved: &Saved, path: &Path, lines: &[String], last: bool) -> Result<()> {
    let mut story = parse_told(path, lines, &saved.lexicon)?;
    if last {
        let skipped = story.questions.len().saturating_sub(1);
        story.questions.drain(..skipped);
    } else if story.questions.is_empty() {
        return Err(Error::file(path, "asks nothing: a line that ends with `?` is a question"));
    } else if path == Path::new("standard input") {
        return Ok(()); // each was answered when it came
    }
    let examples = saved.lexicon.examples(&story, saved.memory);
    for mut example in examples.map_err(|(line, reason)| Error::line(path, line, reason))? {
        example.supports.clear();
        say_answer(&saved.network, &saved.lexicon, &example);
    }
    Ok(())
}

/// Lines as a story whose answers nobody knows.
///
/// # Errors
/// Where a word is not known.
pub fn parse_told(path: &Path, lines: &[String], lexicon: &Lexicon) -> Result<Story> {
    let mut story = Story::default();
    for (i, line) in lines.iter().enumerate() {
        let (text, line) = (line.trim_end(), i as u64 + 1);
        let words = words(text);
        for word in &words {
            lexicon.number(word).map_err(|reason| Error::line(path, line, reason))?;
        }
        if words.is_empty() {
            continue;
        }
        if !text.ends_with('?') {
            story.sentences.push(words);
            continue;
        }
        let told = story.sentences.len();
        if told == 0 {
            return Err(Error::line(path, line, "a question before the first sentence"));
        }
        let answer = lexicon.word(0).to_owned(); // a place holder: nobody compares it
        story.questions.push(Question { words, answer, supports: Vec::new(), told, line });
    }
    Ok(story)
}
