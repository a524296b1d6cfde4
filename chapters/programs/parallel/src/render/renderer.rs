//! What all rules share: who hands out concepts, and what is agreed about a verb.

use super::super::lexicon::Expression;
use super::super::phrase::{Concept, Concepts, Phrase, Word};

/// Where the English helping verb stands; in questions there must be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Statement, // she is tired
    Question,  // is she tired
}

/// The concepts of the verb itself, of the one before it, of the *to* between them, and of *not*.
pub(super) struct Marks {
    pub(super) main: Concept,
    pub(super) modal: Concept,
    pub(super) to: Concept,
    pub(super) not: Concept,
}

/// Hands out the concepts while it walks through the tree.
#[derive(Default)]
pub(super) struct Renderer {
    concepts: Concepts,
}

impl Renderer {
    pub(super) fn concept(&mut self) -> Concept {
        self.concepts.new_concept()
    }

    /// One word each, which translate each other.
    pub(super) fn word(&mut self, english: &'static str, french: &'static str) -> Phrase {
        self.translation(Word::english(english), Word::french(french))
    }

    /// The same with words that have more to them.
    pub(super) fn translation(&mut self, english: Word, french: Word) -> Phrase {
        let concept = self.concept();
        Phrase::new([english.means(concept)], [french.means(concept)])
    }

    /// *next* to / à *côté* de: words with the same stars translate each other, the only word of a
    /// side translates all of them, and words without stars may be linked with any.
    pub(super) fn expression(&mut self, expression: &Expression) -> Phrase {
        let (whole, starred, doubly) = (self.concept(), self.concept(), self.concept());
        let words = |text: &'static str, language: fn(&'static str) -> Word| -> Vec<Word> {
            let single = !text.contains(' ');
            let words = text.split(' ').map(|word| {
                let new = language(word.trim_matches('*')).hints(whole);
                match word.bytes().take_while(|letter| *letter == b'*').count() {
                    0 if single => new.means(starred).means(doubly),
                    0 => new,
                    1 => new.means(starred),
                    _ => new.means(doubly),
                }
            });
            words.collect()
        };
        Phrase::new(
            words(expression.english, Word::english),
            words(expression.french, Word::french),
        )
    }

    pub(super) fn optional(&mut self, expression: Option<&Expression>) -> Phrase {
        expression.map(|expression| self.expression(expression)).unwrap_or_default()
    }
}
