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
    let nothing = |path| Error::file(path, "asks nothing: a line that ends with `?` is a question");
    if let Some(path) = &arguments.story {
        let mut story = parse_told(path, &read_lines(path)?, &saved.lexicon)?;
        return if answered(&saved, path, &mut story)? { Ok(()) } else { Err(nothing(path)) };
    }
    let (path, mut story, mut any) = (Path::new("standard input"), Story::default(), false);
    for (i, line) in lines_of_input().enumerate() {
        tell(&mut story, path, i as u64 + 1, &line?, &saved.lexicon)?;
        any |= answered(&saved, path, &mut story)?;
    }
    if any { Ok(()) } else { Err(nothing(path)) }
}

/// Answers the questions of a story, and takes them out of it: whether there are any.
fn answered(saved: &Saved, path: &Path, story: &mut Story) -> Result<bool> {
    let examples = saved.lexicon.examples(story, saved.memory);
    let examples = examples.map_err(|(line, reason)| Error::line(path, line, reason))?;
    for (mut example, question) in examples.into_iter().zip(&story.questions) {
        example.supports.clear();
        let forgotten = question.told - example.sentences.len();
        say_answer(&saved.network, &saved.lexicon, &example, forgotten);
    }
    Ok(story.questions.drain(..).next().is_some())
}

/// Lines as a story whose answers nobody knows.
///
/// # Errors
/// Where a word is not known.
pub fn parse_told(path: &Path, lines: &[String], lexicon: &Lexicon) -> Result<Story> {
    let mut story = Story::default();
    for (i, line) in lines.iter().enumerate() {
        tell(&mut story, path, i as u64 + 1, line, lexicon)?;
    }
    Ok(story)
}

/// Adds a line.
fn tell(story: &mut Story, path: &Path, line: u64, text: &str, lexicon: &Lexicon) -> Result<()> {
    let (text, told) = (text.trim_end(), story.sentences.len());
    let words = words(text);
    for word in &words {
        lexicon.number(word).map_err(|reason| Error::line(path, line, reason))?;
    }
    if words.is_empty() {
        return Ok(());
    }
    if !text.ends_with('?') {
        story.sentences.push(words);
        return Ok(());
    }
    if told == 0 {
        return Err(Error::line(path, line, "a question before the first sentence"));
    }
    let answer = lexicon.word(0).to_owned(); // a place holder: nobody compares it
    story.questions.push(Question { words, answer, supports: Vec::new(), told, line });
    Ok(())
}
