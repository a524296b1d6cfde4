//! The rules: each turns a part of the tree into words of both languages at once.

mod determiners;
mod english;
mod nouns;
mod objects;
mod renderer;
mod verbs;

use super::phrase::{Phrase, Word};
use super::tree::*;
use corpora::Pair;
use determiners::Role;
use renderer::{Order, Renderer};

impl Sentence {
    /// The sentence in both languages, with its alignment.
    pub fn pair(&self) -> Pair {
        Renderer::default().sentence(self).into_pair()
    }
}

impl Renderer {
    fn sentence(&mut self, sentence: &Sentence) -> Phrase {
        let parts = match sentence {
            Sentence::Statement(adverb, clause) => {
                vec![self.optional(adverb.map(|adverb| &adverb.words)), self.statement(clause)]
            }
            Sentence::Question(clause) => vec![self.question(clause)],
            Sentence::Asking(word, clause) => vec![self.expression(word), self.question(clause)],
            Sentence::Who(predicate) => vec![self.who(predicate)],
            Sentence::What(clause) => vec![self.word("what", "que"), self.question(clause)],
            Sentence::Whom(clause) => vec![self.word("who", "qui"), self.question(clause)],
            Sentence::There { question, past, what, place } => {
                vec![self.there(*question, *past, what), self.place(place)]
            }
            Sentence::Compound(first, conjunction, second) => {
                vec![self.statement(first), self.expression(conjunction), self.statement(second)]
            }
            Sentence::Fronted(conjunction, first, second) => vec![
                self.expression(conjunction),
                self.statement(first),
                self.word(",", ","),
                self.statement(second),
            ],
        };
        let end = if sentence.asks() { "?" } else { "." };
        Phrase::concat(parts.into_iter().chain([self.word(end, end)]))
    }

    /// the girl sings and dances / la fille chante et danse
    fn statement(&mut self, clause: &Clause) -> Phrase {
        let features = clause.subject.features();
        let mut phrase = self.nominal(&clause.subject, Role::Usual);
        for (k, predicate) in clause.predicates.iter().enumerate() {
            let and = if k > 0 { self.word("and", "et") } else { Phrase::default() };
            phrase = Phrase::concat([phrase, and, self.predicate(predicate, features)]);
        }
        phrase
    }

    /// sings / chante
    fn predicate(&mut self, predicate: &VerbPhrase, subject: Features) -> Phrase {
        let (helper, rest) = self.verb_phrase(predicate, subject, Order::Statement);
        Phrase::concat([Phrase::new(helper, []), rest])
    }

    /// does the girl sing / est-ce que la fille chante: the words that ask may go with the helping verb.
    fn question(&mut self, clause: &Clause) -> Phrase {
        let subject = self.nominal(&clause.subject, Role::Usual);
        let features = clause.subject.features();
        let (helper, rest) = self.verb_phrase(&clause.predicates[0], features, Order::Question);
        let asked = self.concept();
        let helper = Phrase::new(
            helper.map(|does| does.hints(asked)),
            ["est-ce", "que"].map(|word| Word::french(word).hints(asked)),
        );
        Phrase::concat([helper, subject, rest])
    }

    /// who sings / qui chante
    fn who(&mut self, predicate: &VerbPhrase) -> Phrase {
        let somebody = Features::third(Number::Singular, Gender::Masculine);
        Phrase::concat([self.word("who", "qui"), self.predicate(predicate, somebody)])
    }

    /// there is a cat / il y a un chat; there is no cat / il n' y a pas de chat
    fn there(&mut self, question: bool, past: bool, what: &NounPhrase) -> Phrase {
        let (there, be, no) = (self.concept(), self.concept(), self.concept());
        let negation = matches!(what.determiner, Determiner::No).then_some(no);
        let is = Word::english(english::be(what.features(), past)).means(be);
        let has = Word::french(if past { "avait" } else { "a" }).means(be);
        let mut english = vec![Word::english("there").means(there), is];
        let mut french = Vec::new();
        if question {
            english.reverse();
            french.extend(["est-ce", "que"].map(|word| Word::french(word).hints(be)));
        }
        french.push(Word::french("il").means(there));
        french.extend(negation.map(|no| Word::french("ne").means(no)));
        french.push(Word::french("y").means(there));
        french.push(has);
        french.extend(negation.map(|no| Word::french("pas").means(no)));
        let role = if question { Role::Asked } else { Role::Existing(negation) };
        Phrase::concat([Phrase::new(english, french), self.noun_phrase(what, role)])
    }

    /// in the garden / dans le jardin
    fn place(&mut self, place: &Place) -> Phrase {
        let preposition = self.expression(&place.preposition.words);
        Phrase::concat([preposition, self.nominal(&place.place, Role::Usual)])
    }
}
