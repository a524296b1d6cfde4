//! Stories as numbers.

use crate::Stories;
use crate::world::Task;
use corpora::Story;
use shared::{Ragged, rng};
use std::collections::BTreeSet;
use workbench::files::shorten;
use workbench::stream;

/// A question with the sentences before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub sentences: Vec<Vec<usize>>,
    /// The contents of the slots of a key–value memory, if they are not what these are found by.
    pub values: Option<Vec<Vec<usize>>>,
    pub question: Vec<usize>,
    pub answer: usize,
    /// Among the sentences.
    pub supports: Vec<usize>,
}

/// The words of stories, answers among them, in the order of the alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexicon {
    words: Vec<String>,
}

impl Lexicon {
    /// Sorts these words.
    pub fn new(words: impl IntoIterator<Item = String>) -> Lexicon {
        let words: BTreeSet<String> = words.into_iter().collect();
        Lexicon { words: words.into_iter().collect() }
    }

    /// All words of stories, and their answers.
    pub fn of(stories: &[Story]) -> Lexicon {
        let told = stories.iter().flat_map(|story| story.sentences.iter().flatten());
        let questions = stories.iter().flat_map(|story| &story.questions);
        let asked = questions.flat_map(|q| q.words.iter().chain([&q.answer]));
        Lexicon::new(told.chain(asked).cloned())
    }

    #[allow(clippy::len_without_is_empty)] // a story has words
    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn word(&self, number: usize) -> &str {
        &self.words[number]
    }

    pub fn text(&self, words: &[usize]) -> String {
        words.iter().map(|word| self.word(*word)).collect::<Vec<_>>().join(" ")
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// # Errors
    /// When the word is not known; the reason names it.
    pub fn number(&self, word: &str) -> Result<usize, String> {
        let found = self.words.binary_search_by(|known| known.as_str().cmp(word));
        found
            .map_err(|_| format!("the word `{}` is in no story that was trained on", shorten(word)))
    }

    fn numbers(&self, words: &[String]) -> Result<Vec<usize>, String> {
        words.iter().map(|word| self.number(word)).collect()
    }

    /// A story's questions, each with the last `memory` sentences before it. With the line of the
    /// question where something is not known.
    pub fn examples(&self, story: &Story, memory: usize) -> Result<Vec<Example>, (u64, String)> {
        let mut examples = Vec::new();
        for question in &story.questions {
            let first = question.told.saturating_sub(memory);
            let told = &story.sentences[first..question.told];
            let at = |reason| (question.line, reason);
            let answer = self.number(&question.answer).map_err(|_| {
                let answer = shorten(&question.answer);
                at(format!("the answer `{answer}` is in no story that was trained on"))
            })?;
            let sentences: Result<_, _> = told.iter().map(|words| self.numbers(words)).collect();
            let sentences = sentences
                .map_err(|reason| at(format!("{reason} (in a sentence before the question)")))?;
            examples.push(Example {
                sentences,
                values: None,
                question: self.numbers(&question.words).map_err(at)?,
                answer,
                supports: question.supports.iter().filter_map(|s| s.checked_sub(first)).collect(),
            });
        }
        Ok(examples)
    }
}

/// So many stories of a task: part 0 is trained on, part 1 is tested on.
pub fn generated(task: Task, count: usize, seed: u64, part: u64) -> Vec<Story> {
    let rng = &mut rng(stream(seed, 1 + part));
    (0..count).map(|_| task.story(rng)).collect()
}

/// Examples of stories all of whose words are known.
///
/// # Panics
/// When one is not.
pub fn known(lexicon: &Lexicon, stories: &[Story], memory: usize) -> Vec<Example> {
    let examples = stories.iter().map(|story| lexicon.examples(story, memory));
    examples.flat_map(|found| found.expect("words of generated stories")).collect()
}

/// Some examples as a model reads them.
pub fn side_by_side<'a>(examples: impl IntoIterator<Item = &'a Example>) -> Stories {
    let examples: Vec<&Example> = examples.into_iter().collect();
    let ragged = |parts: Vec<&Vec<usize>>| {
        Ragged::new(&parts.into_iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let mut offsets = vec![0];
    for example in &examples {
        offsets.push(offsets[offsets.len() - 1] + example.sentences.len());
    }
    let values: Vec<&Vec<usize>> =
        examples.iter().filter_map(|example| example.values.as_ref()).flatten().collect();
    Stories {
        sentences: ragged(examples.iter().flat_map(|example| &example.sentences).collect()),
        values: (!values.is_empty()).then(|| ragged(values)),
        offsets,
        questions: ragged(examples.iter().map(|example| &example.question).collect()),
    }
}
