//! What a story is, and all that is known about it.

use super::entities::{Entity, Tag};
use super::lexicon::Cell;
use corpora::detokenize;
use corpora::texts::Document;

/// When a story happens: all its verbs agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    /// She goes.
    Present,
    /// She went.
    Past,
}

/// A story and all that the generator knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Who and what it is about; the hero is the first.
    pub entities: Vec<Entity>,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
    /// The tense of its verbs.
    pub tense: Tense,
}

/// The fewest and the most sentences of a story.
pub const SENTENCES: std::ops::RangeInclusive<usize> = 5..=12;

impl Story {
    /// The text alone.
    pub fn document(&self) -> Document {
        Document { sentences: self.sentences.iter().map(Sentence::text).collect() }
    }

    /// Who or what has the role now: a role given anew in a later plot means the new one.
    pub(super) fn role(&self, role: &str) -> usize {
        let place = self.entities.iter().rposition(|entity| entity.role == role);
        place.unwrap_or_else(|| panic!("nothing in the story for {role}"))
    }
}

/// A word or mark of a story, and what the generator knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// What it names; for a pronoun, what it stands for.
    pub tag: Tag,
    /// Which of [`Story::entities`] it names or describes.
    pub entity: Option<usize>,
    /// The cell of a table that it is from.
    pub cell: Option<Cell>,
    /// Whether it is a pronoun.
    pub pronoun: bool,
}

/// A sentence of a story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Its words and marks, as [`tokenize`](corpora::tokenize) cuts them.
    pub words: Vec<Word>,
}

impl Sentence {
    /// The sentence as it is written.
    pub fn text(&self) -> String {
        detokenize(&self.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>())
    }

    /// The number of words without the marks.
    pub fn len(&self) -> usize {
        self.words.iter().filter(|word| word.text.starts_with(char::is_alphabetic)).count()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both name the same person, animal, place or thing by the same word.
    pub fn shares_a_name(&self, other: &Sentence) -> bool {
        let names = |word: &&Word| word.tag != Tag::Other && !word.pronoun;
        let mut words = self.words.iter().filter(names);
        words.any(|word| other.words.iter().filter(names).any(|one| one.text == word.text))
    }
}
