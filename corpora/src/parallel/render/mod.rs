//! The rules: each turns a part of the tree into words of both languages at once.

mod nouns;
mod verbs;

use super::lexicon::Expression;
use super::phrase::{Concept, Concepts, Phrase, Word};
use super::tree::*;
use nouns::Role;
use shared::text::Pair;
use verbs::Order;

impl Sentence {
    /// The sentence in both languages, with its alignment.
    pub fn pair(&self) -> Pair {
        Renderer::default().sentence(self).into_pair()
    }
}

/// Hands out the concepts while it walks through the tree.
#[derive(Default)]
struct Renderer {
    concepts: Concepts,
}

impl Renderer {
    fn concept(&mut self) -> Concept {
        self.concepts.new_concept()
    }

    /// One word each, which translate each other.
    fn word(&mut self, english: &'static str, french: &'static str) -> Phrase {
        Phrase::word(Word::new(english), Word::new(french), &mut self.concepts)
    }

    /// *next* to / à *côté* de: words with the same stars translate each other, the only word of a
    /// side translates all of them, and words without stars may be linked with any.
    fn expression(&mut self, expression: &Expression) -> Phrase {
        let (whole, starred, doubly) = (self.concept(), self.concept(), self.concept());
        let words = |text: &'static str| -> Vec<Word> {
            let single = !text.contains(' ');
            let word = |word: &'static str| {
                let new = Word::new(word.trim_matches('*')).hints(whole);
                match word.bytes().take_while(|letter| *letter == b'*').count() {
                    0 if single => new.means(starred).means(doubly),
                    0 => new,
                    1 => new.means(starred),
                    _ => new.means(doubly),
                }
            };
            text.split(' ').map(word).collect()
        };
        Phrase { english: words(expression.english), french: words(expression.french) }
    }

    fn sentence(&mut self, sentence: &Sentence) -> Phrase {
        let (body, end) = match sentence {
            Sentence::Statement(adverb, clause) => {
                let adverb = adverb.map(|adverb| self.expression(&adverb.words));
                (Phrase::concat([adverb.unwrap_or_default(), self.statement(clause)]), ".")
            }
            Sentence::Question(clause) => (self.question(clause), "?"),
            Sentence::Asking(word, clause) => {
                (Phrase::concat([self.expression(word), self.question(clause)]), "?")
            }
            Sentence::Who(predicate) => (self.who(predicate), "?"),
            Sentence::What(clause) => (self.what(clause), "?"),
            Sentence::Whom(clause) => {
                (Phrase::concat([self.word("who", "qui"), self.question(clause)]), "?")
            }
            Sentence::There { question, past, what, place } => {
                let end = if *question { "?" } else { "." };
                (self.there(*question, *past, what, place), end)
            }
            Sentence::Compound(first, conjunction, second) => {
                let first = self.statement(first);
                let conjunction = self.conjunction(conjunction);
                (Phrase::concat([first, conjunction, self.statement(second)]), ".")
            }
            Sentence::Fronted(conjunction, first, second) => {
                let parts = [
                    self.conjunction(conjunction),
                    self.statement(first),
                    self.word(",", ","),
                    self.statement(second),
                ];
                (Phrase::concat(parts), ".")
            }
        };
        Phrase::concat([body, self.word(end, end)])
    }

    /// An expression whose last French word may be *que*.
    fn conjunction(&mut self, conjunction: &Expression) -> Phrase {
        let mut phrase = self.expression(conjunction);
        if conjunction.french.ends_with("que") {
            phrase.french =
                phrase.french.into_iter().map(|word| word.or_before_vowel("que", "qu'")).collect();
        }
        phrase
    }

    /// the girl sings and dances / la fille chante et danse
    fn statement(&mut self, clause: &Clause) -> Phrase {
        let features = clause.subject.features();
        let mut phrase = self.nominal(&clause.subject, Role::Subject);
        for (k, predicate) in clause.predicates.iter().enumerate() {
            if k > 0 {
                phrase = Phrase::concat([phrase, self.word("and", "et")]);
            }
            let (helper, rest) = self.verb_phrase(predicate, features, Order::Statement);
            phrase.english.extend(helper);
            phrase = Phrase::concat([phrase, rest]);
        }
        phrase
    }

    /// does the girl sing / est-ce que la fille chante: the words that ask belong to the helping verb.
    fn question(&mut self, clause: &Clause) -> Phrase {
        let features = clause.subject.features();
        let subject = self.nominal(&clause.subject, Role::Subject);
        let (helper, rest) = self.verb_phrase(&clause.predicates[0], features, Order::Question);
        let asked = self.concept();
        let mut phrase = Phrase {
            english: helper.into_iter().map(|word| word.hints(asked)).collect(),
            french: vec![Word::new("est-ce").hints(asked), Word::new("que").or("qu'").hints(asked)],
        };
        phrase = Phrase::concat([phrase, subject, rest]);
        phrase
    }

    /// what does the girl eat / qu' est-ce que la fille mange
    fn what(&mut self, clause: &Clause) -> Phrase {
        let what = Phrase::word(Word::new("what"), Word::new("que").or("qu'"), &mut self.concepts);
        Phrase::concat([what, self.question(clause)])
    }

    /// who sings / qui chante
    fn who(&mut self, predicate: &VerbPhrase) -> Phrase {
        let who = self.word("who", "qui");
        let somebody = Features::third(Number::Singular, Gender::Masculine);
        let (helper, rest) = self.verb_phrase(predicate, somebody, Order::Statement);
        let helper = Phrase { english: helper.into_iter().collect(), french: Vec::new() };
        Phrase::concat([who, helper, rest])
    }

    /// there is a cat / il y a un chat; there is no cat / il n' y a pas de chat
    fn there(&mut self, question: bool, past: bool, what: &NounPhrase, place: &Place) -> Phrase {
        let (there, be, no) = (self.concept(), self.concept(), self.concept());
        let negated = matches!(what.determiner, Determiner::No);
        let negation = negated.then_some(no);
        let is = match (past, what.number) {
            (false, Number::Singular) => "is",
            (false, Number::Plural) => "are",
            (true, Number::Singular) => "was",
            (true, Number::Plural) => "were",
        };
        let (there_word, is_word) = (Word::new("there").means(there), Word::new(is).means(be));
        let mut phrase = Phrase::default();
        if question {
            phrase.french.push(Word::new("est-ce").hints(be));
            phrase.french.push(Word::new("que").or("qu'").hints(be));
            phrase.english.extend([is_word, there_word]);
        } else {
            phrase.english.extend([there_word, is_word]);
        }
        phrase.french.push(Word::new("il").means(there));
        phrase.french.extend(negation.map(|no| Word::new("ne").or("n'").means(no)));
        phrase.french.push(Word::new("y").means(there));
        phrase.french.push(Word::new(if past { "avait" } else { "a" }).means(be));
        phrase.french.extend(negation.map(|no| Word::new("pas").means(no)));
        let role = if question { Role::Asked } else { Role::Existing(negation) };
        Phrase::concat([phrase, self.noun_phrase(what, role), self.place(place)])
    }

    /// in the garden / dans le jardin
    fn place(&mut self, place: &Place) -> Phrase {
        let preposition = self.preposition(&place.preposition.words);
        Phrase::concat([preposition, self.nominal(&place.place, Role::Subject)])
    }

    /// An expression whose last French word may be *de*, which may become *d'*.
    fn preposition(&mut self, words: &Expression) -> Phrase {
        let mut phrase = self.expression(words);
        phrase.french =
            phrase.french.into_iter().map(|word| word.or_before_vowel("de", "d'")).collect();
        phrase
    }
}
