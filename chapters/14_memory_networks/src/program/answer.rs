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
    let path = arguments.story.as_deref().unwrap_or(Path::new("standard input"));
    let lines: Box<dyn Iterator<Item = Result<String>>> = match &arguments.story {
        Some(path) => Box::new(read_lines(path)?.into_iter().map(Ok)),
        None => Box::new(lines_of_input()),
    };
    let (mut story, mut asked) = (Story::default(), 0);
    for (line, number) in lines.zip(1..) {
        let refuse = |(line, reason)| Error::line(path, line, reason);
        tell(&mut story, number, &line?, &saved.lexicon).map_err(refuse)?;
        let examples = saved.lexicon.examples(&story, saved.memory).map_err(refuse)?;
        for (example, question) in examples.iter().zip(story.questions.drain(..)) {
            let forgotten = question.told - example.sentences.len();
            say_answer(&saved.network, &saved.lexicon, example, forgotten);
            asked += 1;
        }
    }
    let nothing = "asks nothing: a line that ends with `?` is a question";
    if asked > 0 { Ok(()) } else { Err(Error::file(path, nothing)) }
}

/// Adds a line to a story whose answers nobody knows.
///
/// # Errors
/// Where a word is not known, or a question comes first.
pub fn tell(
    story: &mut Story,
    line: u64,
    text: &str,
    lexicon: &Lexicon,
) -> Result<(), (u64, String)> {
    let words = words(text);
    for word in &words {
        lexicon.number(word).map_err(|reason| (line, reason))?;
    }
    if words.is_empty() {
        return Ok(());
    }
    if !text.trim_end().ends_with('?') {
        story.sentences.push(words);
    } else if story.sentences.is_empty() {
        return Err((line, "a question before the first sentence".to_owned()));
    } else {
        let answer = lexicon.word(0).to_owned(); // a place holder: nobody compares it
        let told = story.sentences.len();
        story.questions.push(Question { words, answer, supports: Vec::new(), told, line });
    }
    Ok(())
}
