//! Stories with questions in them, in the form in which such tasks are published.
//!
//! ```text
//! 1 Anna took the apple.
//! 2 Anna went to the garden.
//! 3 Where is the apple?⇥garden⇥1 2
//! ```
//!
//! Lines are numbered from 1 in every story. A question has, between tabs, its answer and the lines
//! that it follows from.

use crate::read_lines;
use std::fmt::Write;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::shorten;

/// Sentences, and questions about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The sentences that are told, as words.
    pub sentences: Vec<Vec<String>>,
    /// The questions that are asked.
    pub questions: Vec<Question>,
}

/// A question about the sentences before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its words.
    pub words: Vec<String>,
    /// One word, or several that count as one.
    pub answer: String,
    /// The sentences that it follows from, counted from 0 among those of the story.
    pub supports: Vec<usize>,
    /// How many sentences were told before it was asked.
    pub told: usize,
    /// Its line in the file, counted from 1; 0 when it is from none.
    pub line: u64,
}

/// The words of a sentence in small letters, without the marks at their ends.
///
/// ```
/// assert_eq!(corpora::stories::words("Where is the apple?"), ["where", "is", "the", "apple"]);
/// ```
pub fn words(sentence: &str) -> Vec<String> {
    let words = sentence.split_whitespace().map(|word| word.trim_matches(['.', '?', '!', ',']));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// All stories of a file.
///
/// # Errors
/// When the file cannot be read, or a line is not as it should be: its number is not the next one, a
/// question has no answer, or a supporting fact is no sentence before it.
pub fn read_stories(path: &Path) -> Result<Vec<Story>> {
    let mut reader = Reader::default();
    for (i, line) in read_lines(path)?.iter().enumerate() {
        if !line.trim().is_empty() {
            let number = i as u64 + 1;
            reader.read(line, number).map_err(|reason| Error::line(path, number, reason))?;
        }
    }
    if reader.stories.iter().all(|story| story.questions.is_empty()) {
        return Err(Error::file(path, "has no question: a line with an answer after a tab"));
    }
    Ok(reader.stories)
}

/// The stories that have been read, and for every line of the story at hand which sentence it is.
#[derive(Default)]
struct Reader {
    stories: Vec<Story>,
    lines: Vec<Option<usize>>, // none: a question
}

impl Reader {
    fn read(&mut self, line: &str, file_line: u64) -> Result<(), String> {
        let (number, text) = line.trim_start().split_once(' ').unwrap_or((line.trim(), ""));
        let next = self.lines.len() + 1;
        match number.parse() {
            Ok(1) => {
                self.stories.push(Story::default());
                self.lines.clear();
            }
            Ok(n) if n == next && n > 1 => {}
            Ok(n) if next == 1 => return Err(format!("line {n} of a story, 1 expected")),
            Ok(n) => return Err(format!("line {n} of a story, {next} or 1 expected")),
            Err(_) => {
                let number = shorten(number);
                return Err(format!("begins with `{number}`, a line's number is needed"));
            }
        }
        let story = self.stories.last_mut().expect("a line 1 came first");
        let mut columns = text.split('\t');
        let words = words(columns.next().unwrap_or_default());
        if words.is_empty() {
            return Err("has no words after its number".to_owned());
        }
        let Some(answer) = columns.next() else {
            self.lines.push(Some(story.sentences.len()));
            story.sentences.push(words);
            return Ok(());
        };
        if story.sentences.is_empty() {
            return Err("a question before the first sentence of its story".to_owned());
        }
        let answer = answer.trim().to_lowercase();
        if answer.is_empty() {
            return Err("a question without an answer after its tab".to_owned());
        }
        let mut supports = Vec::new();
        for support in columns.next().unwrap_or_default().split_whitespace() {
            let place = support.parse().ok().and_then(|n: usize| n.checked_sub(1));
            match place.and_then(|place| self.lines.get(place).copied().flatten()) {
                Some(sentence) => supports.push(sentence),
                None => {
                    let support = shorten(support);
                    return Err(format!("supporting fact {support}: no sentence before it"));
                }
            }
        }
        self.lines.push(None);
        let told = story.sentences.len();
        story.questions.push(Question { words, answer, supports, told, line: file_line });
        Ok(())
    }
}

/// The stories as a file has them; questions stand where they are asked.
pub fn written(stories: &[Story]) -> String {
    let mut text = String::new();
    for story in stories {
        let mut number = 0;
        let mut lines = Vec::new();
        let mut questions = story.questions.iter().peekable();
        for told in 0..=story.sentences.len() {
            while let Some(question) = questions.next_if(|question| question.told == told) {
                number += 1;
                let supports: Vec<String> =
                    question.supports.iter().map(|s| format!("{}", lines[*s])).collect();
                let Question { words, answer, .. } = question;
                let line =
                    format!("{number} {}?\t{answer}\t{}", words.join(" "), supports.join(" "));
                text += &(line + "\n");
            }
            if let Some(sentence) = story.sentences.get(told) {
                number += 1;
                lines.push(number);
                writeln!(text, "{number} {}.", sentence.join(" ")).expect("a string");
            }
        }
    }
    text
}
