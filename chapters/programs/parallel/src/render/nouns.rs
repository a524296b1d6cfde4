//! Noun phrases: the place of adjectives, agreement, possession, relative clauses.

use super::super::lexicon::Adjective;
use super::super::phrase::{Phrase, Word};
use super::super::tree::*;
use super::determiners::{Role, article};
use super::renderer::Renderer;

impl Renderer {
    pub(super) fn nominal(&mut self, nominal: &Nominal, role: Role) -> Phrase {
        match nominal {
            Nominal::Pronoun(pronoun) => {
                let (english, french) = subject_pronoun(*pronoun);
                self.word(english, french)
            }
            Nominal::Name(name) => self.word(name.text, name.text),
            Nominal::Noun(phrase) => self.noun_phrase(phrase, role),
            Nominal::Both(one, other) => Phrase::concat([
                self.nominal(one, role),
                self.word("and", "et"),
                self.nominal(other, role),
            ]),
        }
    }

    // ANCHOR: noun_phrase
    /// the two small black cats in the garden / les deux petits chats noirs dans le jardin
    pub(super) fn noun_phrase(&mut self, phrase: &NounPhrase, role: Role) -> Phrase {
        let features = phrase.features();
        let (determiner, owner) = match &phrase.determiner {
            Determiner::Of(owner) => self.possession(owner, features),
            _ => (self.determiner(phrase, role), Phrase::default()),
        };
        let count = self.optional(phrase.count);
        let before = self.attribute(phrase.before, features);
        let after = self.attribute(phrase.after, features);
        let noun = self.word(phrase.noun.english(phrase.number), phrase.noun.french(phrase.number));
        let complement = self.complement(phrase);

        let head = Phrase::concat([determiner, count, before]);
        let (english, french) = (
            [head.english, after.english, noun.english].concat(), // the two small black cats
            [head.french, noun.french, after.french].concat(),    // les deux petits chats noirs
        );
        Phrase::concat([Phrase::new(english, french), owner, complement])
    }
    // ANCHOR_END: noun_phrase

    fn attribute(&mut self, adjective: Option<&Adjective>, features: Features) -> Phrase {
        let Some(adjective) = adjective else { return Phrase::default() };
        let mut french = Word::french(adjective.french(features));
        if adjective.before {
            french = french.or(adjective.before_vowel(features));
        }
        self.translation(Word::english(adjective.english), french)
    }

    /// the girl 's dog / le chien de la fille: *'s* is *de*, and perhaps the article of *chien*.
    fn possession(&mut self, owner: &Nominal, owned: Features) -> (Phrase, Phrase) {
        let of = self.concept();
        let owner = self.nominal(owner, Role::Usual);
        let english = [owner.english, vec![Word::english("'s").means(of)]].concat();
        let before = Phrase::new(english, [article(owned).hints(of)]);
        let behind = [vec![Word::french("de").means(of)], owner.french].concat();
        (before, Phrase::new([], behind))
    }

    /// in the garden, who sings, that the girl sees
    fn complement(&mut self, phrase: &NounPhrase) -> Phrase {
        match &phrase.complement {
            None => Phrase::default(),
            Some(Complement::Place(place)) => self.place(place),
            Some(Complement::Subject(predicate)) => {
                let who = self.word(if phrase.noun.human() { "who" } else { "that" }, "qui");
                Phrase::concat([who, self.predicate(predicate, phrase.features())])
            }
            Some(Complement::Object(clause)) => {
                Phrase::concat([self.word("that", "que"), self.statement(clause)])
            }
        }
    }
}

fn subject_pronoun(pronoun: Pronoun) -> (&'static str, &'static str) {
    let feminine = pronoun.features.gender == Gender::Feminine;
    match pronoun.features.row() {
        0 => ("i", "je"),
        1 if pronoun.neuter => ("it", if feminine { "elle" } else { "il" }),
        1 if feminine => ("she", "elle"),
        1 => ("he", "il"),
        2 => ("we", "nous"),
        3 => ("you", "vous"),
        _ => ("they", if feminine { "elles" } else { "ils" }),
    }
}
